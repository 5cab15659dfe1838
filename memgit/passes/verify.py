"""The pass that looks at the world: what memories claim, what is known of it, what was moved.

The one rule: it reads and asks, and writes nothing; whoever calls it keeps the verdicts. What is
at hand is looked at first, what others must be asked is asked side by side, a few at a time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread

from memgit.domain.claims.claim import Claim
from memgit.domain.claims.extraction import extract
from memgit.domain.claims.journal import Standing, moment
from memgit.domain.claims.reasons import Reason
from memgit.domain.claims.roots import Roots
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.table import PROBES
from memgit.domain.claims.validation import Refusal
from memgit.domain.claims.verdict import Outcome, Sign, Verdict
from memgit.domain.memory import Memory, decode, parse

AT_ONCE = 8
"""Questions to others that wait side by side."""

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Reading:
    """One memory as it was read: its very bytes, what it claims, what it may not claim.

    `unseen` are subjects of what it may claim, and no root that is at hand knows: a file by its
    bare name is a claim only where a project has or had it. Nothing is known of those.
    """

    memory: Memory
    data: bytes
    claims: Sequence[Claim]
    refused: Sequence[Refusal]
    scene: Scene
    unseen: Sequence[str] = ()

    @property
    def path(self) -> str:
        """Where it is in the store."""
        return self.memory.path


@dataclass(frozen=True)
class Judged:
    """A claim of a memory and what is known of it; `is_new` where it was asked just now."""

    reading: Reading
    claim: Claim
    standing: Standing
    is_new: bool


def readings(files: Iterable[tuple[str, bytes]], roots: Roots) -> Iterator[Reading]:
    """What each memory (path, content) claims."""
    for path, data in files:
        memory = parse(path, data)[0]
        scene = roots.scene(memory)

        @cache
        def knows(word: str, scene: Scene = scene) -> bool:
            return any(one.knows(word, scene.folder) for one in scene.finders)

        text = decode(data)[0].replace("\r\n", "\n")
        found = extract(memory, text, knows)
        unseen = tuple(_unseen(memory, text, found.claims))
        yield Reading(memory, data, found.claims, found.refused, scene, unseen)


def _unseen(memory: Memory, text: str, claims: Sequence[Claim]) -> Iterator[str]:
    """What the memory would claim where a root knew it, asked for a label's sake alone."""
    if not any(map(Reason.parse, memory.reasons("unverified"))):
        return
    known = {one.key for one in claims}
    for knows in (_is_one_word, bool):
        every = extract(memory, text, knows).claims
        yield from (one.subject for one in every if one.key not in known)


def _is_one_word(path: str) -> bool:
    return " " not in path


def judge(
    read: Sequence[Reading], roots: Roots, standing: Mapping[str, Standing], now: datetime,
    anew: Callable[[Reading], bool] = lambda reading: False, told: Told | None = None,
) -> Iterator[Judged]:  # fmt: skip
    """What is known of every claim: from `standing` while that holds, else asked now.

    The same claim of many memories is asked once. `anew` tells of which memories all is asked.
    Verdicts come as they are reached, so that whoever ends this half way has those until there.
    """
    waiting: dict[str, list[tuple[Reading, Claim]]] = {}
    count = sum(len(one.claims) for one in read)
    done = 0
    for reading in read:
        for claim in reading.claims:
            known = standing.get(key := _key(reading, claim))
            if known and not anew(reading) and known.holds(claim.probe, _state(reading), now):
                done += 1
                yield Judged(reading, claim, known, False)
            else:
                waiting.setdefault(key, []).append((reading, claim))
    roots.prepare((reading.scene, claim) for (reading, claim), *_ in waiting.values())
    for key, outcome in _asked(waiting):
        for reading, claim in waiting[key]:
            done += 1
            yield Judged(reading, claim, _standing(key, claim, outcome, reading, now), True)
        if told:
            told(done, count)


def _asked(
    waiting: Mapping[str, Sequence[tuple[Reading, Claim]]],
) -> Iterator[tuple[str, Outcome | Sign]]:
    """Each answer as it comes, those at hand first."""
    remote: dict[str, tuple[Claim, Scene]] = {}
    for key, rows in waiting.items():
        reading, claim = rows[0]
        if PROBES[claim.probe].is_remote:
            remote[key] = claim, reading.scene
        else:
            yield key, ask(claim, reading.scene)
    yield from _side_by_side(remote)


def _side_by_side(
    remote: Mapping[str, tuple[Claim, Scene]],
) -> Iterator[tuple[str, Outcome | Sign]]:
    """Answers of others as they come. Who ends this half way does not wait for those to come."""
    waiting: SimpleQueue[tuple[str, Claim, Scene]] = SimpleQueue()
    answers: SimpleQueue[tuple[str, Outcome | Sign]] = SimpleQueue()
    for key, (claim, scene) in remote.items():
        waiting.put((key, claim, scene))

    def work() -> None:
        with suppress(Empty):
            while True:
                key, claim, scene = waiting.get_nowait()
                answers.put((key, ask(claim, scene)))

    for _ in range(min(AT_ONCE, len(remote))):
        Thread(target=work, daemon=True).start()
    try:
        for _ in remote:
            yield answers.get()
    finally:
        with suppress(Empty):
            while True:
                waiting.get_nowait()


def ask(claim: Claim, scene: Scene) -> Outcome | Sign:
    """What a claim's probe says. A probe that fails has seen nothing."""
    try:
        meant = scene.of(str(claim.arguments.get("repo") or ""))
        return PROBES[claim.probe].ask(claim.arguments, meant)
    except Exception as fault:
        return Outcome(Verdict.UNKNOWN, f"could not be looked at: {type(fault).__name__}: {fault}")


def _key(reading: Reading, claim: Claim) -> str:
    """What makes two questions the same: the claim, the roots, and for a path the folder."""
    folder = reading.scene.folder if "path" in claim.arguments else ""
    places = ",".join(str(root.folder) for root in reading.scene.roots)
    return f"{claim.key}:{folder}:{places}"


def _state(reading: Reading) -> str:
    """What a verdict rests on: the projects' commits. The store's own changes with each label."""
    return ",".join(root.state for root in reading.scene.roots if not root.is_store)


def _standing(
    key: str, claim: Claim, outcome: Outcome | Sign, reading: Reading, now: datetime
) -> Standing:
    moved = outcome.moved_to if isinstance(outcome, Outcome) else ""
    return Standing(
        key, str(outcome.verdict), moment(now), _state(reading), outcome.why, moved, claim.probe
    )
