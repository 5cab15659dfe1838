"""Recall measured on labelled stores: every contender, every prompt, and a sample by the hook.

The one rule: a gate that knows a person's prompts has never seen the one that it is judged on.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from memgit.domain import trial
from memgit.evaluation.answers import Held, asked, held_back
from memgit.evaluation.baselines import FOUND, Rival, rivals
from memgit.evaluation.built_store import BuiltStore, texts
from memgit.evaluation.corpus import Case
from memgit.evaluation.metrics import Judged, Shown

MEMGIT = "memgit"
WITHOUT_LOG = "memgit, no log"
"""Recall before it knows any prompt of the person."""

SAMPLE = 5
"""Prompts of each store that are also put to the hook as a process."""

ROUNDS = 3

Told = Callable[[int, int], None]
"""Told (stores done, stores in all)."""


@dataclass(frozen=True)
class Measured:
    """A store that is measured: its name, how it is built, its labelled prompts, chatter for it."""

    name: str
    built: BuiltStore
    cases: Sequence[Case]


@dataclass(frozen=True)
class Tried:
    """A prompt that was put to the real hook: times in seconds, and whether it said the same."""

    store: str
    id: str
    seconds: float
    bare: float
    same: bool
    fault: str


@dataclass(frozen=True)
class Missed:
    """A case that memgit did not answer as it should, and the right memories that it held back."""

    judged: Judged
    held: Sequence[Held]


@dataclass(frozen=True)
class Evaluation:
    """All that was measured, by contender where there are several."""

    judged: dict[str, list[Judged]]
    chatter: dict[str, list[Judged]]
    tried: list[Tried]
    missed: list[Missed]


def evaluate(stores: Sequence[Measured], chatter: Sequence[Case], told: Told) -> Evaluation:
    """Ask every contender every labelled prompt of its store, and each of `chatter` of one store:
    its own where that is measured, else the stores take turns.
    """
    whole = Evaluation({}, {}, [], [])
    names = [store.name for store in stores]
    homes = [
        case.store if case.store in names else names[number % len(names)]
        for number, case in enumerate(chatter)
    ]
    for done, store in enumerate(stores):
        told(done, len(stores))
        idle = [case for case, home in zip(chatter, homes, strict=True) if home == store.name]
        _measure(store, idle, whole)
    told(len(stores), len(stores))
    return whole


def _measure(store: Measured, idle: Sequence[Case], whole: Evaluation) -> None:
    plain = store.built.without_log()
    names = {path: store.built.store.read(path).name for path in store.built.store.paths()}
    contenders: dict[str, Callable[[Case], Judged]] = {
        MEMGIT: lambda case: asked(store.built.held_out(case.prompt), case),
        WITHOUT_LOG: lambda case: asked(plain, case),
        **{
            name: partial(_ask_rival, rival, names)
            for name, rival in rivals(texts(store.built.store)).items()
        },
    }
    for name, ask in contenders.items():
        whole.judged.setdefault(name, []).extend(map(ask, store.cases))
        whole.chatter.setdefault(name, []).extend(map(ask, idle))
    whole.missed.extend(
        Missed(one, held_back(store.built.held_out(one.case.prompt), one.case))
        for one in whole.judged[MEMGIT][-len(store.cases) :]
        if not one.good or one.count("wrong")
    )
    whole.tried.extend(_through_hook(store))


def _ask_rival(rival: Rival, names: Mapping[str, str], case: Case) -> Judged:
    """What a rival finds, with the names that a battery may call the memories by."""
    start = perf_counter()
    found = rival.ask(case.prompt, FOUND)
    seconds = perf_counter() - start
    return Judged(case, tuple(Shown(path, names[path], score) for path, score in found), seconds)


def _through_hook(store: Measured) -> Iterator[Tried]:
    """A sample of the prompts, put to the hook's own process with the turn before in a transcript.

    It reads the table that lies in the store, so that is the one it is compared on.
    """
    table = store.built.live()
    root = store.built.store.root
    step = max(1, len(store.cases) // SAMPLE)
    with TemporaryDirectory(prefix="memgit-eval-") as folder:
        for case in list(store.cases)[::step][:SAMPLE]:
            given = _event(case, root, Path(folder) / "transcript.jsonl")
            heard = trial.attempt(trial.hook_command(root), given, root, ROUNDS)
            expected = [shown.path for shown in asked(table, case).shown]
            paths = {path: path for path in store.built.store.paths()}
            same = list(trial.memories_in(heard.text, paths)) == expected
            yield Tried(store.name, case.id, heard.seconds, heard.bare, same, heard.fault)


def _event(case: Case, root: Path, transcript: Path) -> bytes:
    """The hook's input for a case; the turn before it is written to `transcript`."""
    said = [
        {"type": kind, "message": {"role": kind, "content": [{"type": "text", "text": text}]}}
        for kind, text in (("user", case.previous.prompt), ("assistant", case.previous.answer))
        if text
    ]
    transcript.write_text("".join(json.dumps(row) + "\n" for row in said), "ascii")
    event = json.loads(trial.event(case.prompt, root).decode("utf-8", "surrogatepass"))
    return json.dumps({**event, "transcript_path": str(transcript)}).encode("ascii")
