"""`MEMORY.md`: one line for each memory, newest first, as far as its cap has room.

The one rule: it follows from the memories and the cap alone, so that everybody who has the same
memories has the same bytes, and a seal tells whether a file is as memgit wrote it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, unquote

from memgit.domain.gates.secrets import found
from memgit.domain.importing.index_lines import plain
from memgit.domain.importing.summary import summary
from memgit.domain.memory import STANDING, Memory
from memgit.domain.operation import one_line
from memgit.domain.settings import Cap
from memgit.ports.markdown import outline
from memgit.prompt.profile import units

FILE = "MEMORY.md"

LONGEST = 200
"""UTF-16 units of one line; what Claude Code advises."""

TITLE = 80
"""Characters of a title."""

MORE = "- More is stored here than these lines tell: `memgit search WORDS` finds it."
"""The last line where there was no room for all."""

NEWEST = 3
"""One part in so many of the room is for the newest memories, whatever they are."""

WEAK = 0

_SEAL = re.compile(
    r"<!-- memgit ([0-9a-f]{12}): made from the memories beside it; "
    r"what is written here becomes one -->\n"
)
_HARD = set("()<>%#?\\\"'`*|[]")


@dataclass(frozen=True)
class Row:
    """What the listing needs to know of one memory.

    `rank` is how long it stays when room is short: 3 for rules, 2 for what else the user said, 1,
    and 0 for what is superseded or refuted. `age` is when it was last changed or noted as used.
    """

    path: str
    name: str
    line: str
    rank: int
    recorded: str
    age: str

    @classmethod
    def of(cls, memory: Memory, dated: str) -> "Row | None":
        """The row of a memory; None for a retired one, and one whose very name is a secret.

        `dated` is git's date, for those whose file tells none: only its day counts, for the moment
        differs from the commit that is made.
        """
        line = line_of(memory)
        if memory.is_retired or any(found(line)):
            return None
        recorded = one_line(memory.recorded) or f"{dated[:10]}~"
        used = one_line(str(memory.metadata.get(USED) or ""))
        return cls(memory.path, memory.name, line, _rank(memory), recorded, max(recorded, used))

    def value(self) -> list[object]:
        """What makes the row again, as JSON can hold it."""
        return [self.path, self.name, self.line, self.rank, self.recorded, self.age]

    @property
    def strength(self) -> str:
        """Sorts rows by how long they stay."""
        return f"{self.rank}{self.age}"


USED = "used"
"""The key of a memory that tells until when it was seen in use."""


def line_of(memory: Memory) -> str:
    """A memory's line: `- [Title](path) — hook`, and how it stands where that matters.

    Where that has the shape of a secret, be it that only its words put together have it, the title
    is made from the name and there is no hook.
    """
    line = _whole_line(memory)
    return f"- [{_named(memory)}]({href(memory.path)})" if any(found(line)) else line


def _named(memory: Memory) -> str:
    words = one_line(memory.name.replace("-", " "))
    return words[:1].upper() + words[1:]


def _whole_line(memory: Memory) -> str:
    headings = outline(memory.body).headings
    title = one_line(plain(headings[0])) if headings else ""
    title = title or _named(memory)
    title = _cut(title.translate({ord("["): "(", ord("]"): ")"}), TITLE)
    state = _state(memory)
    head = f"- [{title}]({href(memory.path)})"
    hook = one_line(memory.description or summary(memory.body, memory.name))
    if _letters(hook) == _letters(title):
        hook = one_line(summary(memory.body, title))
        hook = "" if _letters(hook) == _letters(title) else hook
    room = LONGEST - units(head) - units(state) - len(" — ")
    said = _cut(hook.replace("<!--", "<! --"), room) if room >= 10 else ""
    return f"{head} — {said}{state}" if said else f"{head}{state}"


def chosen(rows: Iterable[Row], cap: Cap, complete: bool = True) -> list[Row]:
    """The rows that the listing shows, newest first. `complete` tells whether these are all.

    A third of the room is for the newest; the rest for what is strongest by class, then by use
    and age. What is superseded comes last.
    """
    known = sorted(sorted(rows, key=lambda row: row.path), key=_age, reverse=True)
    room = _Room(cap)
    if not complete or not all(room.take(row) for row in known):
        rest = Cap(cap.lines - 1, cap.units - units(MORE) - 1)
        room = _Room(rest)
        first = _Room(Cap(rest.lines // NEWEST, rest.units // NEWEST))
        for row in (row for row in known if row.rank > WEAK):
            if not (first.take(row) and room.take(row)):
                break
        strongest = sorted(known, key=lambda row: row.strength, reverse=True)
        held = {row.path for row in room.taken}
        for row in (row for row in strongest if row.path not in held):
            if not room.take(row):
                break
    by_path = sorted(room.taken, key=lambda row: row.path)
    return sorted(by_path, key=lambda row: row.recorded, reverse=True)


class _Room:
    """Rows taken one by one, as long as a cap has room for their lines."""

    def __init__(self, cap: Cap) -> None:
        self.taken: list[Row] = []
        self._cap = cap
        self._units = -1

    def take(self, row: Row) -> bool:
        """Whether there was room for it."""
        size = self._units + units(row.line) + 1
        if len(self.taken) >= self._cap.lines or size > self._cap.units:
            return False
        self.taken.append(row)
        self._units = size
        return True


def text(rows: Sequence[Row], more: bool, cap: Cap) -> bytes:
    """The file with these lines, and a last one that says so where there is `more`."""
    lines = [row.line for row in rows]
    if more and cap.lines > len(lines):
        said = "\n".join([*lines, MORE])
        lines += [MORE] if units(said) <= cap.units else []
    body = "".join(f"{line}\n" for line in lines)
    seal = (
        f"<!-- memgit {_digest(body)}: made from the memories beside it; "
        "what is written here becomes one -->\n"
    )
    return (seal + body).encode("utf-8", "surrogatepass")


def sealed_lines(text: str) -> list[str] | None:
    """The lines of a file that is as memgit wrote it; None where somebody else wrote in it."""
    plain_text = text.replace("\r\n", "\n")
    found = _SEAL.match(plain_text)
    if not found or _digest(plain_text[found.end() :]) != found[1]:
        return None
    return plain_text[found.end() :].splitlines()


def path_of(line: str) -> str:
    """The memory that a line of ours leads to; "" for a line that leads to none."""
    return unquote(line.partition("](")[2].partition(")")[0])


def is_seal(line: str) -> bool:
    """Whether this is memgit's own first line, whole or not any more right."""
    return bool(_SEAL.fullmatch(f"{line.strip()}\n"))


def _rank(memory: Memory) -> int:
    if memory.superseded_by or memory.reasons("refuted"):
        return WEAK
    if memory.type in STANDING:
        return 3
    return 2 if memory.metadata.get("origin") == "user" else 1


def _age(row: Row) -> str:
    return row.age


def _letters(text: str) -> str:
    """What two texts that say the same have in common: no case, no punctuation."""
    return "".join(filter(str.isalnum, text.casefold())) or text


def _state(memory: Memory) -> str:
    if memory.superseded_by:
        return f" (superseded by {one_line(memory.superseded_by)})"
    states = [key for key in ("refuted", "unverified") if memory.reasons(key)]
    return f" ({', '.join(states)})" if states else ""


def href(path: str) -> str:
    """A memory's path as the target of a link; letters of every script stay."""
    return "".join(
        quote(char.encode("utf-8", "surrogateescape"), safe="")
        if char in _HARD or char.isspace() or not char.isprintable()
        else char
        for char in path
    )


def _cut(text: str, most: int) -> str:
    """A text of at most so many UTF-16 units, an ellipsis where it was cut."""
    if units(text) <= most:
        return text
    kept = text[: most - 1]
    while units(kept) > most - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def _digest(body: str) -> str:
    return sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:12]
