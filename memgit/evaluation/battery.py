"""A person's own battery: prompts that were really typed, and what the person said belongs to them.

The one rule: it holds a person's own words, so it lies with the derived data, where git never sees
it; and each answer is on the disk before the next question is asked.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memgit.domain.health.runs import Run, keep
from memgit.domain.importing.summary import summary
from memgit.domain.indexing.index import Index
from memgit.domain.language import language
from memgit.domain.store import Store
from memgit.domain.transcripts.reader import sessions
from memgit.domain.transcripts.turns import turns
from memgit.errors import Fault, StoreError
from memgit.evaluation.answers import asked, candidates
from memgit.evaluation.built_store import LOG, texts
from memgit.evaluation.corpus import (
    CHATTER,
    CONTEXTUAL,
    NOTHING,
    SUBJECT,
    UNCOVERED,
    Case,
    Previous,
    case,
    rows,
)
from memgit.evaluation.metrics import Shown
from memgit.evaluation.recall_eval import MEMGIT
from memgit.ports.plain_search import PlainSearch
from memgit.prompt.table import Table

FILE = "battery.jsonl"

DIGITS = "123456789"
"""One for each memory that a question offers."""

OWN_CANDIDATES = 6
"""Memories that recall itself puts forward; the other places are for what plain Whoosh finds, so
that a battery can show what recall never sees."""

TAIL = 1000
"""Characters that are kept of what the agent had said last."""


@dataclass(frozen=True)
class Question:
    """A prompt that a person typed, with the turn before it; `id` is the same for the same text."""

    id: str
    prompt: str
    previous: Previous


class Offers:
    """What a question offers to choose from; the store's table and texts are read once."""

    def __init__(self, store: Store) -> None:
        self._table = Table(str(Index(store).table))
        self._memories = {path: store.read(path) for path in store.paths()}
        self._rival = PlainSearch(texts(store))

    def about(self, shown: Shown) -> str:
        """What a memory says of itself, what its text says first, or its path."""
        memory = self._memories.get(shown.path)
        told = (memory.description or summary(memory.body, memory.name)) if memory else ""
        return told or shown.path

    def of(self, question: Question) -> tuple[list[Shown], int]:
        """Memories, at most one for each digit, and how many of them the hook would show: those
        come first, then what it held back, then what plain Whoosh finds.
        """
        asking = Case("", question.id, question.prompt, NOTHING, previous=question.previous)
        shown = asked(self._table, asking).shown
        more = candidates(self._table, question.prompt)[:OWN_CANDIDATES]
        plain = [
            Shown(path, self._memories[path].name, score)
            for path, score in self._rival.ask(question.prompt, len(DIGITS))
        ]
        found = {memory.path: memory for memory in reversed([*shown, *more, *plain])}
        order = dict.fromkeys(memory.path for memory in (*shown, *more, *plain))
        return [found[path] for path in order][: len(DIGITS)], len(shown)


def battery_file(store: Store) -> Path:
    """Where the battery of a store is."""
    return store.derived / FILE


def log_file(store: Store) -> Path:
    """Where the person's prompts are kept for the calibration of the gate."""
    return store.derived / LOG


def questions(transcripts: Path) -> list[Question]:
    """Every prompt that was typed in these transcripts, repetitions once; a key pressed to answer
    the agent ("1", "y") asks for nothing, and what a program asked (`claude -p`) nobody typed.

    In an order that mixes sessions and stays the same when more are added: that of their ids.
    """
    found: dict[str, Question] = {}
    for path in sessions(transcripts):
        previous = Previous()
        for turn in turns(path):
            if not _is_key(turn.prompt):
                made = Question(_id(turn.prompt), turn.prompt, previous)
                found.setdefault(made.id, made)
            previous = Previous(turn.prompt, turn.answer[-TAIL:])
    return [found[key] for key in sorted(found)]


def answered(store: Store) -> set[str]:
    """The ids of the prompts that were answered or skipped."""
    return set(_answers(store, []))


def read(store: Store) -> tuple[list[Case], list[Fault]]:
    """The answered prompts, and what is wrong in the file. Raises StoreError without a file."""
    if not battery_file(store).is_file():
        raise StoreError(
            f"{store.root}: no battery yet", "collect one first: `memgit eval collect`"
        )
    faults: list[Fault] = []
    found = []
    for line, row in _answers(store, faults).values():
        if row.get("skipped"):
            continue
        made = case(row, store.root.name, row)
        if isinstance(made, Case):
            found.append(made)
        else:
            faults.append(Fault(str(battery_file(store)), line, "answer", made))
    return found, faults


def record(store: Store, question: Question, relevant: Iterable[str] | None) -> None:
    """Append an answer: the names of the memories that belong, none where silence is right, None
    where the person skipped the prompt.
    """
    names = None if relevant is None else list(relevant)
    row: dict[str, Any] = {"id": question.id, "prompt": question.prompt}
    if names is None:
        row["skipped"] = True
    else:
        row |= {
            "kind": SUBJECT if names else NOTHING,
            "relevant": names,
            "lang": language(question.prompt),
            "prev_user": question.previous.prompt,
            "prev_assistant_tail": question.previous.answer,
        }
    _append(battery_file(store), [row])


def keep_log(store: Store, prompts: Iterable[str]) -> int:
    """Add prompts to the person's log, each once; how many were new."""
    path = log_file(store)
    known = logged(store)
    fresh = [text for text in dict.fromkeys(prompts) if text not in known]
    _append(path, [{"text": text} for text in fresh])
    return len(fresh)


def logged(store: Store) -> list[str]:
    """The person's log of prompts; empty where the person keeps none."""
    path = log_file(store)
    found = rows(path, []) if path.is_file() else ()
    return [str(row["text"]) for _, row in found if row.get("text")]


def keep_run(store: Store, made: Mapping[str, Any], now: datetime) -> None:
    """Keep the counts of a measurement of this battery, from its document, for the report to draw.

    What is not committed belongs to no commit, so a work tree with changes keeps none.
    """
    kinds = made["contenders"][MEMGIT]["by_kind"]
    asked = [kinds[kind]["hit2"] for kind in (SUBJECT, CONTEXTUAL) if kind in kinds]
    idle = [kinds[kind]["silent"] for kind in (UNCOVERED, CHATTER, NOTHING) if kind in kinds]
    commit = store.repository.head()
    if commit and not store.repository.unsaved():
        keep(store, Run(
            now.isoformat(timespec="seconds"), commit, made["version"], made["prompts"],
            _hits(asked), sum(one["n"] for one in asked), _hits(idle),
            sum(one["n"] for one in idle), made["hook"]["wall_ms"],
        ))  # fmt: skip


def _hits(shares: Iterable[Mapping[str, Any]]) -> int:
    return sum(round(one["n"] * (one["value"] or 0.0)) for one in shares)


def _is_key(prompt: str) -> bool:
    """Whether a prompt is one key, or the number of a choice."""
    bare = prompt.strip().strip("().")
    return bare.isascii() and (len(bare) <= 1 or (len(bare) == 2 and bare.isdigit()))


def _id(prompt: str) -> str:
    same = " ".join(prompt.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(same).hexdigest()[:12]


def _answers(store: Store, faults: list[Fault]) -> dict[str, tuple[int, Any]]:
    """The last row for each id, with its line."""
    path = battery_file(store)
    if not path.is_file():
        return {}
    return {str(row.get("id")): (line, row) for line, row in rows(path, faults)}


def _append(path: Path, made: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", errors="surrogatepass") as file:
        for row in made:
            file.write(json.dumps(row, ensure_ascii=True) + "\n")
