"""A draft: a skill that nobody has admitted yet, in `drafts/skills/NAME/SKILL.md` of a store.

The one rule: it is inert. It lies where no host looks for skills, and says itself that no model may
call it, so that either alone would do.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from memgit.domain.memory import split
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.frontmatter import BrokenFrontmatter, dump_frontmatter, load_frontmatter

FOLDER = "drafts/skills"
FILE = "SKILL.md"
INERT = "disable-model-invocation"

LARGEST = 32_000
"""Bytes of a draft's file that are read: five times what a page of it takes in Japanese."""

WHEN, STEPS, FAILURE, FALLBACK, LIMITS = (
    "When it applies", "Steps", "The failure it prevents", "When that is too much", "Limits",
)  # fmt: skip
SECTIONS = (WHEN, STEPS, FAILURE, FALLBACK, LIMITS)
"""The headings of a draft, each of the second level."""

_HEADING = re.compile(r"## +(.+?)\s*#*\s*\Z")


@dataclass(frozen=True)
class Failure:
    """What a draft names as prevented: which record of which session failed, and what was said."""

    session: str = ""
    record: str = ""
    said: str = ""


@dataclass(frozen=True)
class Draft:
    """One draft as its file has it; `broken` tells why its keys cannot be read."""

    path: str
    data: bytes
    keys: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""
    body_line: int = 1
    broken: str = ""

    @classmethod
    def parse(cls, path: str, data: bytes) -> "Draft":
        """The draft in a file; one that cannot be read is a draft with a fault."""
        if len(data) > LARGEST:
            return cls(path, data, broken="it is too large")
        text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        front, body, line = split(text)
        if front is None:
            return cls(path, data, {}, text, 1, "there is no frontmatter")
        try:
            return cls(path, data, load_frontmatter(front), body, line)
        except BrokenFrontmatter as fault:
            return cls(path, data, {}, body, line, str(fault))

    @property
    def name(self) -> str:
        """The name of its folder, by which a host would call it."""
        return PurePosixPath(self.path).parent.name

    @property
    def digest(self) -> str:
        """The SHA-256 of its file, in hex: what a check is bound to."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What it says of where it comes from."""
        found = self.keys.get("metadata")
        return found if isinstance(found, Mapping) else {}

    @property
    def description(self) -> str:
        """What a host would list."""
        return str(self.keys.get("description") or "").strip()

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps as they were counted."""
        return _texts(self.metadata.get("procedure"))

    @property
    def sessions(self) -> tuple[str, ...]:
        """The sessions that it says it was seen in, each once."""
        return tuple(dict.fromkeys(_texts(self.metadata.get("sessions"))))

    @property
    def failure(self) -> Failure:
        """The evidence of the failure that it names."""
        given = self.metadata.get("failure")
        if not isinstance(given, Mapping):
            return Failure()
        return Failure(*(str(given.get(key) or "") for key in ("session", "record", "said")))

    @cached_property
    def sections(self) -> dict[str, tuple[int, str]]:
        """Heading → (its line in the file, the text below it)."""
        found: dict[str, tuple[int, list[str]]] = {}
        below: list[str] = []
        for number, line in enumerate(self.body.split("\n"), self.body_line):
            if heading := _HEADING.match(line):
                below = []
                found.setdefault(heading[1], (number, below))
            else:
                below.append(line)
        return {name: (line, "\n".join(text).strip()) for name, (line, text) in found.items()}

    def line_of(self, section: str) -> int:
        """The line of a heading, else the one on which the body starts."""
        return self.sections.get(section, (self.body_line, ""))[0]

    def admitted(self) -> bytes:
        """The file that a skills folder gets: the same, but that a model may call it."""
        keys = {key: value for key, value in self.keys.items() if key != INERT}
        return f"---\n{dump_frontmatter(keys)}---\n{self.body}".encode()


def is_draft_path(path: str) -> bool:
    """Whether a path of a store is that of a draft."""
    parts = path.split("/")
    return len(parts) == 4 and path.startswith(f"{FOLDER}/") and parts[3] == FILE


def path_of(name: str) -> str:
    """Where the draft of this name is."""
    return f"{FOLDER}/{name}/{FILE}"


def drafts(store: Store) -> list[Draft]:
    """The drafts in a store's work tree, by name; links are none."""
    paths = [path for path in store.files() if is_draft_path(path)]
    files = [path for path in sorted(set(paths))
             if (store.root / path).is_file() and not (store.root / path).is_symlink()]  # fmt: skip
    return [Draft.parse(path, store.content(path)) for path in files]


def draft_of(store: Store, name: str) -> Draft:
    """The draft of this name. Raises StoreError where there is none."""
    for one in drafts(store):
        if one.name == name:
            return one
    names = ", ".join(one.name for one in drafts(store)) or "none yet (`memgit skills draft`)"
    raise StoreError(f"no draft is called {name}", f"drafts: {names}")


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in value if one is not None) if isinstance(value, list) else ()
