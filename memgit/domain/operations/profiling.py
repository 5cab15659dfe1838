"""Operations on the profile: a line comes, goes, or is moved.

The one rule: none of them fails for want of room, and a line that leaves the profile is a memory
in the same commit: one that is recalled where it had to make room, a retired one where a person
took it off.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memgit.domain.always_on.profile import MARK, Profile, to_memories
from memgit.domain.naming import Newcomers
from memgit.domain.operation import BY_THE_USER, Operation, Provenance, one_line
from memgit.domain.operations.labelling import day
from memgit.domain.recording import record
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.prompt.profile import FILE


@dataclass(frozen=True)
class Profiled:
    """What was done: `line` is the one asked for, `moved` the (line, memory) that left the profile.

    `commit` is None where everything stood so already, `demoted` as in `Recorded`.
    """

    kind: str
    line: str
    commit: str | None = None
    moved: tuple[tuple[str, str], ...] = ()
    demoted: tuple[str, ...] = ()


def add_line(
    store: Store, text: str, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> Profiled:
    """Put a line on top of the profile. Where there is no room, the last lines become memories; a
    line that alone is longer than the cap becomes one at once. Raises UsageError for no words.
    """
    line = MARK + one_line(text).removeprefix(MARK)
    if not any(map(str.isalnum, line)):
        raise UsageError("a line of the profile needs words", 'like "Reviews are in English."')

    def change(profile: Profile, newcomers: Newcomers) -> _Step:
        if profile.has(line):
            return _Step(profile)
        fits, over = profile.put(line).fitted(store.settings.profile)
        names = to_memories(over, newcomers)
        return _Step(fits, tuple(zip(over, names, strict=True)))

    return _change(store, "profile-add", lambda profile: line, change, by, now)


def remove_line(
    store: Store, wanted: str, by: Provenance = BY_THE_USER, now: datetime | None = None
) -> Profiled:
    """Take a line off the profile. It stays in the store as a retired memory: found by `search`,
    recalled only once somebody restores it. Raises UsageError unless one line is meant.
    """

    def change(profile: Profile, newcomers: Newcomers) -> _Step:
        place = profile.find(wanted)
        line = profile.lines[place]
        why = f"{day(now)}, taken off the profile"
        names = to_memories([line], newcomers, retired=why)
        return _Step(profile.without(place), ((line, names[0]),))

    return _change(store, "profile-remove", lambda p: p.lines[p.find(wanted)], change, by, now)


def move_line(store: Store, wanted: str, to: int, by: Provenance = BY_THE_USER) -> Profiled:
    """Let a line stand at another place, counted from 1; the first one stays longest."""

    def change(profile: Profile, newcomers: Newcomers) -> _Step:
        place = profile.find(wanted)
        line = profile.lines[place]
        return _Step(profile.without(place).put(line, max(0, to - 1)))

    return _change(store, "profile-move", lambda p: p.lines[p.find(wanted)], change, by)


@dataclass(frozen=True)
class _Step:
    """A profile as it shall be, and the (line, memory) that left it."""

    profile: Profile
    moved: tuple[tuple[str, str], ...] = ()


def _change(
    store: Store, kind: str, about: Callable[[Profile], str],
    change: Callable[[Profile, Newcomers], _Step], by: Provenance, now: datetime | None = None,
) -> Profiled:  # fmt: skip
    store.repository.expect_nothing_in_progress()
    with store.locked():
        _save_before(store)
        before = Profile.of(store)
        newcomers = Newcomers(store, "user", now)
        line = about(before)
        step = change(before, newcomers)
        files: dict[str, bytes | None] = {**newcomers.files}
        if step.profile.text != before.text:
            files[FILE] = step.profile.data()
        if not files:
            return Profiled(kind, line, moved=step.moved)
        names = [name for _, name in step.moved]
        operation = Operation.of(kind, line.removeprefix(MARK), names, by)
        done = record(store, operation, files)
    return Profiled(kind, line, done.commit, step.moved, tuple(done.demoted))


def _save_before(store: Store) -> None:
    """What was written into the file by hand is an operation of its own."""
    if any(row.path == FILE for row in store.repository.unsaved()):
        details = ("written by hand, and saved before the next operation changes it",)
        record(store, Operation("save", FILE, details=details), {}, (FILE,))
