"""How often there is something to correct: checkable values that are stated and used again.

The one rule: it is a floor. Only what a rule sees counts, a number, an amount, a time, a date or a
version that stands in one place and once more in a later one; nobody judges what it means.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.domain.gates.certificate import DIFFERS, MISSING, PARTIAL
from memgit.domain.gates.claims import brittle, verdicts
from memgit.domain.gates.register import Entry, Register
from memgit.domain.gates.scope import File, Scope
from memgit.domain.memory import is_memory_path
from memgit.domain.transcripts.reader import sessions
from memgit.domain.transcripts.turns import Turn, turns
from memgit.evaluation.metrics import share

VALUE = re.compile(
    r"(?<![A-Za-z0-9_./#@:-])(?:[$€£¥]\s?\d[\d,]*(?:\.\d+)?|\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}"
    r"|v?\d+(?:\.\d+){1,3}|\d{1,3}(?:,\d{3})+|\d{3,9})(?![A-Za-z0-9_/-]|\.\d|:\d)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")

PUBLISHED = {"chat": 0.10, "tools": 0.48, "agents": 0.86}
"""The shares that were published (arXiv 2606.25449), for comparison; of other data."""

LARGEST = 200_000
"""Characters of one text that are looked at."""


@dataclass(frozen=True)
class Measured:
    """Of `n` sessions or memories, which hold such a value; `examples` are some of the values."""

    what: str
    n: int
    with_value: int
    used_again: int
    examples: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """As plain JSON values, shares with Wilson's intervals."""
        return {
            "what": self.what, "n": self.n,
            "holds_a_value": share(self.with_value, self.n).record(),
            "stated_and_used_again": share(self.used_again, self.n).record(),
            "examples": list(self.examples),
        }  # fmt: skip


def values(text: str) -> set[str]:
    """The checkable values of a text, each as it is compared. A year is none, nor is a bare number
    of two digits: those meet by chance.
    """
    plain = unicodedata.normalize("NFKC", text[:LARGEST])
    found = (match[0].replace(",", "").replace(" ", "") for match in VALUE.finditer(plain))
    return {value for value in found if not _YEAR.fullmatch(value)}


# Transcripts --------------------------------------------------------------------------------


def of_transcripts(folder: Path) -> Measured | None:
    """The sessions below a folder in which something was said; None where there is none."""
    found = [list(turns(path)) for path in sessions(folder)]
    said = [list(_utterances(one)) for one in found if one]
    if not said:
        return None
    again = [_used_again(one) for one in said]
    some = Counter(value for one in again for value in one)
    return Measured(
        "sessions", len(said), sum(any(map(values, one)) for one in said), sum(map(bool, again)),
        tuple(value for value, _ in some.most_common(5)),
    )  # fmt: skip


def _utterances(session: Iterable[Turn]) -> Iterator[str]:
    """What was typed, said, called and answered, one after the other."""
    for turn in session:
        yield from turn.typed
        for step in turn.steps:
            if step.text:
                yield step.text
            if step.tool:
                yield "\n".join(text for text in step.input.values() if isinstance(text, str))
                yield step.result


def _used_again(texts: Sequence[str]) -> set[str]:
    """Values that stand in one text and in a later one."""
    seen: set[str] = set()
    again: set[str] = set()
    for text in texts:
        here = values(text)
        again |= here & seen
        seen |= here
    return again


# Stores -------------------------------------------------------------------------------------


def of_memories(files: Sequence[File]) -> dict[str, Any]:
    """The memories of a store: values, those that other memories use as well, and brittle ones."""
    held = [values(file.memory.body) for file in files]
    counts = Counter(value for here in held for value in here)
    shared = [{value for value in here if counts[value] > 1} for here in held]
    common = tuple(value for value, count in counts.most_common(5) if count > 1)
    measured = Measured(
        "memories", len(files), sum(map(bool, held)), sum(map(bool, shared)), common
    )
    scope = Scope(files, Register(Entry.of(file.memory) for file in files))
    fragile = {fault.path for fault in brittle(scope)}
    loose = {file.path for file in files
             if any(one.verdict in (MISSING, PARTIAL) for one in verdicts(file))}  # fmt: skip
    said = Counter(one.verdict for file in files for one in verdicts(file))
    return {
        **measured.record(),
        "brittle": share(len(fragile), len(files)).record(),
        "without_a_source_beside": share(len(loose), len(files)).record(),
        "verdicts": {kind: said[kind] for kind in sorted({*said, DIFFERS, MISSING, PARTIAL})},
        "brittle_memories": sorted(fragile),
    }  # fmt: skip


def memories_below(folder: Path) -> list[File]:
    """The memories of a store, or of any folder of markdown, sorted by path."""
    found = []
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        if ".git" not in path.parts and path.is_file() and not path.is_symlink() and (
            is_memory_path(place)
        ):  # fmt: skip
            found.append(File(place, path.read_bytes()))
    return found
