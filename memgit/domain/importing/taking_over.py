"""Taking over memories from elsewhere: all of it in one commit, and none of it twice.

The one rule: what a person changed in the store is never replaced by an import, and whatever is
not taken is told with its reason.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memgit.domain.gates.scope import File
from memgit.domain.gates.secrets import secrets_of
from memgit.domain.importing.arrival import (
    Arrival,
    arrive,
    arrive_in_lines,
    digest,
    read_indexes,
    with_words,
)
from memgit.domain.importing.placing import Places
from memgit.domain.importing.relinking import relink
from memgit.domain.importing.sources import Found, Remark, Unfit, content, find, recorded_path
from memgit.domain.memory import LARGEST, Memory, key_of, render
from memgit.domain.operation import Operation
from memgit.domain.recording import record, take_over
from memgit.domain.store import Store

Progress = Callable[[int, int], None]
"""Told (files done, files in all) now and then."""

Stage = Callable[[str], None]
"""Told what begins."""

TOLD = 100
"""Remarks that a commit message repeats."""


@dataclass(frozen=True)
class Taken:
    """A memory that was taken over: where it is now, where it is from, whether it is a new one."""

    name: str
    path: str
    source: str
    new: bool


@dataclass(frozen=True)
class Imported:
    """What an import did. `left` are the paths not taken and why, `remarks` what to know of others.

    `commit` is None where there was nothing to do, and after a dry run. `demoted` are memories for
    which `MEMORY.md` has no room any more.
    """

    taken: Sequence[Taken] = ()
    left: Sequence[Remark] = ()
    remarks: Sequence[Remark] = ()
    commit: str | None = None
    demoted: Sequence[str] = ()


def import_memories(
    store: Store, given: Sequence[Path], progress: Progress = lambda done, total: None,
    stage: Stage = lambda what: None, dry_run: bool = False, below: str = "",
) -> Imported:  # fmt: skip
    """Take over what the given files and folders hold, and commit it; a dry run only tells.

    Importing the same again changes nothing. New ones come `below` a folder of the store. Raises
    UsageError for a path that does not exist.
    """
    store.repository.expect_nothing_in_progress()
    found, left = find(given, store.root, below)
    arrivals = _read(found, left, progress)
    with nullcontext() if dry_run else store.locked():
        stage("placing")
        if not dry_run:
            take_over(store)
        known = _Known(store)
        fates = [known.fate(one) for one in arrivals]
        left += [Remark(one.shown, fate.reason) for one, fate in zip(arrivals, fates, strict=True)
                 if fate.reason]  # fmt: skip
        memories = _placed(store, known, arrivals, fates)
        coming = [not fate.reason for fate in fates]
        memories, lost = relink(arrivals, memories, coming, known.memories.values())
        files = {m.path: render(m) for m, comes in zip(memories, coming, strict=True) if comes}
        if not files:
            return Imported(left=left)
        taken = [
            Taken(memory.name, memory.path, one.shown, fate.standing is None)
            for one, memory, fate in zip(arrivals, memories, fates, strict=True)
            if not fate.reason
        ]
        remarks = _remarks(arrivals, memories, fates) + lost
        if dry_run:
            return Imported(taken, left, remarks)
        stage("committing")
        done = record(store, _operation(given, taken, left, remarks), files)
    return Imported(taken, left, remarks, done.commit, done.demoted)


def _read(found: Sequence[Found], left: list[Remark], progress: Progress) -> list[Arrival]:
    """What the files become, the indexes read last; what is unfit goes to `left`."""
    arrivals: list[Arrival] = []
    indexes: list[tuple[Found, bytes, datetime]] = []
    for done, one in enumerate(found):
        progress(done, len(found))
        try:
            data, changed = content(one.file)
            if secret := next(secrets_of(File(one.shown, data)), None):
                raise Unfit(f"line {secret.line} {secret.message}; take it out, then import it")
            if one.is_index:
                indexes.append((one, data, changed))
            elif one.file.suffix.lower() == ".jsonl":
                arrivals += arrive_in_lines(one, data, changed)
            else:
                arrivals.append(arrive(one, data, changed))
        except Unfit as fault:
            left.append(Remark(one.shown, str(fault)))
    progress(len(found), len(found))
    return read_indexes(indexes, arrivals)


@dataclass(frozen=True)
class _Fate:
    """What becomes of an arrival: `standing` is the memory that it is or replaces, and `reason`
    says why it is not taken; neither for a new one.
    """

    standing: Memory | None = None
    reason: str = ""


class _Known:
    """What the store holds already, as the work tree has it: `memories` by path."""

    def __init__(self, store: Store) -> None:
        self.memories = {path: store.read(path) for path in store.paths()}
        self._by_source: dict[str, tuple[Memory, Mapping[str, Any]]] = {}
        self._by_digest: dict[str, Memory] = {}
        self._by_name: dict[str, Memory] = {}
        for memory in self.memories.values():
            self._by_name.setdefault(key_of(memory.name), memory)
            sources = memory.metadata.get("sources")
            for source in sources if isinstance(sources, list) else ():
                if isinstance(source, dict) and "sha256" in source:
                    self._by_digest.setdefault(str(source["sha256"]), memory)
                    if "line" not in source:
                        self._by_source[str(source.get("path"))] = memory, source

    def fate(self, arrival: Arrival) -> _Fate:
        """What becomes of an arrival."""
        sha = arrival.source["sha256"]
        if "line" not in arrival.source and arrival.source["path"] in self._by_source:
            memory, source = self._by_source[arrival.source["path"]]
            if source["sha256"] != sha:
                if digest(memory.body) == source.get("body_sha256", source["sha256"]):
                    return _Fate(memory)
                why = f"changed since it was taken over, and so was {memory.name}, which is kept"
                return _Fate(memory, why)
            return _Fate(memory, f"already there as {memory.name}")
        same = self._by_digest.get(sha) or self._by_name.get(key_of(arrival.memory.name))
        if same and (sha in self._by_digest or (same.body and same.body == arrival.memory.body)):
            return _Fate(same, f"already there as {same.name}")
        return _Fate()


def _placed(
    store: Store, known: _Known, arrivals: Sequence[Arrival], fates: Sequence[_Fate]
) -> list[Memory]:
    """Each arrival as the memory that it is or becomes, with a name and a path of its own.

    Names that a person gave come before names of files, and higher folders before lower ones.
    """
    names = (memory.name for memory in known.memories.values())
    places = Places(
        names,
        known.memories,
        occupied=lambda path: os.path.lexists(store.root / path),
        barred=lambda path: _is_barred(store.root / path),
    )
    order = sorted(
        range(len(arrivals)),
        key=lambda n: (arrivals[n].given == arrivals[n].place.stem, len(arrivals[n].place.parts)),
    )
    placed: dict[int, Memory] = {}
    for number in order:
        one, fate = arrivals[number], fates[number]
        if fate.standing:
            placed[number] = fate.standing if fate.reason else _renewed(fate.standing, one)
            continue
        name = places.name(one.memory.name, one.found.telling)
        placed[number] = replace(one.memory, name=name, path=places.path(one.place, name))
    return [placed[number] for number in range(len(arrivals))]


def _is_barred(folder: Path) -> bool:
    """Whether no memory can lie below a path: a file, a link or another repository stands there."""
    is_folder = os.path.isdir(folder) and not os.path.islink(folder)
    return os.path.lexists(folder / ".git" if is_folder else folder)


def _renewed(standing: Memory, arrival: Arrival) -> Memory:
    """A memory of the store with what its source says by now; name, place and labels stay."""
    coming = arrival.memory
    path = arrival.source["path"]
    sources = [source for source in standing.metadata["sources"]
               if not (isinstance(source, dict) and source.get("path") == path)]  # fmt: skip
    renewed = replace(
        standing,
        type=coming.type,
        description=coming.description or standing.description,
        body=coming.body,
        metadata={**standing.metadata, **coming.metadata, "sources": [*sources, arrival.source]},
    )
    for key in ("aliases", "topics"):
        renewed = with_words(renewed, key, *standing.words(key))
    return renewed


def _remarks(
    arrivals: Sequence[Arrival], memories: Sequence[Memory], fates: Sequence[_Fate]
) -> list[Remark]:
    """What had to be changed to take the arrivals over."""
    remarks = []
    for one, memory, fate in zip(arrivals, memories, fates, strict=True):
        if fate.reason:
            continue
        texts = list(one.remarks)
        if not fate.standing and memory.name != one.memory.name:
            texts.append(f"named {memory.name}, because {one.memory.name} is taken")
        if not fate.standing and memory.path != one.memory.path:
            texts.append(f"written to {memory.path}")
        if len(memory.body) > LARGEST:
            texts.append(f"only its first {LARGEST:,} characters are searched")
        remarks += [Remark(one.shown, text) for text in texts]
    return remarks


def _operation(
    given: Sequence[Path], taken: Sequence[Taken], left: Sequence[Remark], remarks: Sequence[Remark]
) -> Operation:
    new = sum(one.new for one in taken)
    details = [f"{new} new, {len(taken) - new} changed, {len(left)} paths left out"]
    details += [f"from {recorded_path(path)}" for path in given]
    details += [f"{recorded_path(Path(one.path))}: {one.text}" for one in remarks[:TOLD]]
    count = "1 memory" if len(taken) == 1 else f"{len(taken)} memories"
    where = given[0].name or str(given[0])
    more = f" and {len(given) - 1} more" if len(given) > 1 else ""
    subject = f"{count} from {where}{more}"
    return Operation("import", subject, [one.name for one in taken], details=details)
