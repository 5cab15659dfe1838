"""Things of the coding domain that have values of the same kinds: what a store is filled with.

The one rule: everything is made from the lists here, in a fixed order; no two things share a name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from memgit.domain.memory import Memory
from memgit.evaluation.telling import START

NAMES = (
    "Acorn", "Alder", "Amber", "Anvil", "Arbor", "Aspen", "Basalt", "Beacon", "Birch", "Bramble",
    "Breeze", "Briar", "Cedar", "Cinder", "Clover", "Cobalt", "Comet", "Coral", "Crescent",
    "Cypress", "Dahlia", "Delta", "Drift", "Ember", "Fennel", "Fern", "Flint", "Garnet", "Ginger",
    "Glacier", "Granite", "Hazel", "Heather", "Indigo", "Iris", "Ivory", "Jasper", "Juniper",
    "Kelp", "Larch", "Laurel", "Lichen", "Lilac", "Linden", "Maple", "Marble", "Meadow", "Mistral",
    "Nectar", "Nettle", "Nimbus", "Oasis", "Olive", "Onyx", "Opal", "Orchid", "Pebble", "Pepper",
    "Pine", "Plume", "Poplar", "Quartz", "Quince", "Rowan", "Saffron", "Sage", "Sienna", "Slate",
    "Sorrel", "Spruce", "Tamarind", "Thistle", "Topaz", "Tundra", "Umber", "Velvet", "Willow",
    "Yarrow", "Zephyr", "Zinnia",
)  # fmt: skip

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
TEAMS = ("platform", "payments", "growth", "identity", "search", "data", "mobile")
BRANCHES = ("main", "master", "trunk", "develop", "stable")
REGIONS = ("eu-west-1", "eu-central-1", "us-east-1", "us-west-2", "ap-northeast-1")


@dataclass(frozen=True)
class Kind:
    """A kind of value: `said` of a thing and a value, `asked` of a thing."""

    name: str
    said: str
    asked: str
    values: tuple[str, ...]


KINDS = (
    Kind("port", "The {0} API listens on port {1}.", "Which port does the {0} API listen on?",
         tuple(str(port) for port in range(7001, 7081))),
    Kind("default-branch", "The default branch of the {0} repository is `{1}`.",
         "What is the default branch of the {0} repository?", BRANCHES),
    Kind("owner", "The {0} service is owned by the {1} team.", "Which team owns the {0} service?",
         TEAMS),
    Kind("rate-limit", "The rate limit of the {0} gateway is {1} requests per minute.",
         "What is the rate limit of the {0} gateway?", tuple(str(n) for n in range(110, 1000, 30))),
    Kind("key-rotation-job", "The key rotation job of {0} runs on {1}.",
         "On which day does the key rotation job of {0} run?", DAYS),
    Kind("upload-limit", "The upload limit of {0} is {1} MB.", "What is the upload limit of {0}?",
         tuple(str(n) for n in range(5, 125, 5))),
    Kind("session-timeout", "A session of the {0} console expires after {1} minutes.",
         "When does a session of the {0} console expire?", tuple(map(str, range(10, 90, 7)))),
    Kind("deploy-region", "The {0} cluster is deployed in `{1}`.",
         "In which region is the {0} cluster deployed?", REGIONS),
    Kind("queue-workers", "The {0} queue has {1} workers.",
         "How many workers does the {0} queue have?", tuple(map(str, range(2, 40)))),
    Kind("log-retention", "Logs of {0} are kept for {1} days.", "How long are logs of {0} kept?",
         tuple(map(str, range(14, 400, 11)))),
    Kind("backup-time", "The nightly backup of {0} starts at {1}.",
         "When does the nightly backup of {0} start?",
         tuple(f"0{n % 6}:{(n * 7) % 60:02}" for n in range(60))),
    Kind("schema-version", "The {0} schema is at version {1}.",
         "At which version is the {0} schema?", tuple(f"{n // 7 + 1}.{n % 7}" for n in range(70))),
)  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """One value of one thing, as a memory and as a question; `where` is a condition, or ""."""

    name: str
    kind: Kind
    value: str
    where: str = ""

    @property
    def text(self) -> str:
        """The sentence."""
        said = self.kind.said.format(self.name, self.value)
        return f"In {self.where}, {said[0].lower()}{said[1:]}" if self.where else said

    @property
    def question(self) -> str:
        """The question whose answer it is."""
        asked = self.kind.asked.format(self.name)
        return f"{asked[:-1]} in {self.where}?" if self.where else asked

    @property
    def memory(self) -> Memory:
        """The memory that says it."""
        parts = (self.name.lower(), self.where, self.kind.name)
        name = "-".join(filter(None, parts))
        made = Memory(f"{name}.md", name, self.text, "project", f"{self.text}\n")
        stamp = START.isoformat().replace("+00:00", "Z")
        return made.with_metadata(topics=[self.name.lower()], origin="harvest", modified=stamp)


def things(count: int) -> list[Thing]:
    """The first `count` of all things, at most 960; kinds take turns."""
    return list(islice(_every(), count))


def _every() -> Iterator[Thing]:
    """A value of each name before a second one of any."""
    for turn in range(len(KINDS)):
        for place, name in enumerate(NAMES):
            kind = KINDS[(place + turn) % len(KINDS)]
            yield Thing(name, kind, kind.values[(place * 5 + turn) % len(kind.values)])


CONDITIONAL = ("Bittern", "Cormorant", "Egret", "Godwit", "Grebe", "Ibis", "Jacana", "Lapwing",
               "Moorhen", "Osier", "Pintail", "Ruff")  # fmt: skip


def conditional() -> list[tuple[Thing, Thing]]:
    """Per name a value that holds in staging, and another one in production."""
    found = []
    for number, name in enumerate(CONDITIONAL):
        kind = KINDS[(0, 3, 5, 8)[number % 4]]
        one, other = kind.values[number], kind.values[-1 - number]
        found.append((Thing(name, kind, one, "staging"), Thing(name, kind, other, "production")))
    return found
