"""Labelled prompts: read from a corpus, a store of it, or a battery, into values.

The one rule: a row that cannot be read is a fault with its place and never stops the rest; what is
measured is exactly what was read.

A corpus is a folder of store folders. Each store folder has `notes/` with markdown files and
`prompts.jsonl`: {"id", "prompt", "prev_user", "prev_assistant_tail", "lang"}. `labels.jsonl` stands
in the corpus, or in the store folder: {"store", "id", "kind", "relevant": [...], "also": [...]}.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memgit.errors import Fault, UsageError

LABELS = "labels.jsonl"
PROMPTS = "prompts.jsonl"
NOTES = "notes"
CHATTER_FILE = "chatter.jsonl"

SUBJECT, CONTEXTUAL, UNCOVERED, CHATTER = KINDS = ("subject", "contextual", "uncovered", "chatter")
"""Memories belong to the prompt; they do, but the subject stands in the turn before; the prompt has
a subject, but no memory helps; there is nothing to recall."""

NOTHING = "nothing"
"""No memory belongs to the prompt, and why was not asked: what a battery knows."""


@dataclass(frozen=True)
class Previous:
    """The turn before a prompt: what the person typed, and the end of what the agent said."""

    prompt: str = ""
    answer: str = ""


@dataclass(frozen=True)
class Case:
    """A prompt and what belongs to it: `relevant` memories, and those that would `also` do.

    Memories are named by path or by name. Where none is relevant, silence is right.
    """

    store: str
    id: str
    prompt: str
    kind: str
    lang: str = ""
    relevant: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    previous: Previous = field(default_factory=Previous)


@dataclass(frozen=True)
class LabelledStore:
    """A store of a corpus: its notes, all prompts of its person, and the labelled ones."""

    name: str
    notes: Path
    log: tuple[str, ...]
    cases: tuple[Case, ...]


def load(folder: Path) -> tuple[list[LabelledStore], list[Fault]]:
    """The stores of a corpus folder, or the one store that `folder` is, and what is wrong in it.

    Raises UsageError where nothing is labelled.
    """
    folder = folder.resolve()
    homes = [folder] if (folder / NOTES).is_dir() else _stores_in(folder)
    if not homes:
        raise UsageError(
            f"{folder}: no corpus: neither it nor a folder in it has `{NOTES}/`",
            f"a store folder holds {NOTES}/ and {PROMPTS}; {LABELS} stands in it or beside it",
        )
    faults: list[Fault] = []
    stores = [_store(home, faults) for home in homes]
    labelled = [store for store in stores if store.cases]
    if not labelled:
        raise UsageError(
            f"{folder}: no prompt is labelled" + (f" ({faults[0]})" if faults else ""),
            f"write {LABELS} in it, one JSON object a line",
        )
    return labelled, faults


def load_all(folders: Iterable[Path]) -> tuple[list[LabelledStore], list[Fault]]:
    """The stores of several corpora, each once; where two share a name, it gets its folder's too.

    Raises UsageError as `load` does.
    """
    found: dict[Path, LabelledStore] = {}
    faults: dict[Fault, None] = {}
    for folder in folders:
        stores, wrong = load(folder)
        found.update((store.notes, store) for store in stores)
        faults.update(dict.fromkeys(wrong))
    names = [store.name for store in found.values()]
    return [
        _renamed(store) if names.count(store.name) > 1 else store for store in found.values()
    ], list(faults)


def chatter_beside(folders: Iterable[Path]) -> Path | None:
    """The first chatter file that lies in one of these corpora or beside it."""
    for folder in map(Path.resolve, folders):
        near = [folder, folder.parent]
        if (folder / NOTES).is_dir():
            near.append(folder.parent.parent)  # a store folder: its corpus' neighbours
        for place in near:
            if (place / CHATTER_FILE).is_file():
                return place / CHATTER_FILE
    return None


def chatter(path: Path) -> tuple[list[Case], list[Fault]]:
    """Prompts that need nothing, one {"text", "store", "lang"} a line."""
    faults: list[Fault] = []
    cases = [
        Case(_text(row, "store"), f"{path.name}:{line}", text, CHATTER, _text(row, "lang"))
        for line, row in rows(path, faults)
        if (text := _text(row, "text") or _text(row, "prompt"))
    ]
    return cases, faults


def rows(path: Path, faults: list[Fault]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(line number, object) of a JSON-lines file; what is none is added to `faults`."""
    try:
        text = path.read_text("utf-8-sig", errors="replace")
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            faults.append(Fault(str(path), number, "json", "is not one JSON object"))
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            faults.append(Fault(str(path), number, "json", "is not a JSON object"))


def case(row: Mapping[str, Any], store: str, prompt: Mapping[str, Any]) -> Case | str:
    """A labelled prompt from its label and its row of prompts, or what is wrong with it."""
    relevant, also = _names(row, "relevant"), _names(row, "also")
    text = _text(prompt, "prompt") or _text(prompt, "text")
    kind = _text(row, "kind")
    if not text:
        return f"no prompt has the id {_text(row, 'id')!r}"
    if kind not in (*KINDS, NOTHING):
        return f"the kind {kind!r} is none of {', '.join(KINDS)}"
    if bool(relevant) != (kind in (SUBJECT, CONTEXTUAL)):
        return f"kind {kind} " + ("with memories" if relevant else "without a relevant memory")
    return Case(
        store=store,
        id=_text(row, "id"),
        prompt=text,
        kind=kind,
        lang=_text(row, "lang") or _text(prompt, "lang"),
        relevant=relevant,
        also=tuple(name for name in also if name not in relevant),
        previous=Previous(_text(prompt, "prev_user"), _text(prompt, "prev_assistant_tail")),
    )


def _renamed(store: LabelledStore) -> LabelledStore:
    name = f"{store.notes.parent.parent.name}/{store.name}"
    return replace(store, name=name, cases=tuple(replace(case, store=name) for case in store.cases))


def encodable(text: str) -> str:
    """The text with `?` for halves of characters, which JSON may hold and no output takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _stores_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(home for home in folder.iterdir() if (home / NOTES).is_dir())


def _store(home: Path, faults: list[Fault]) -> LabelledStore:
    prompts = dict(_prompts(home, faults))
    found = []
    for path, line, row in _labels(home, faults):
        made = case(row, home.name, prompts.get(_text(row, "id"), row))
        if isinstance(made, Case):
            found.append(made)
        else:
            faults.append(Fault(str(path), line, "label", made))
    first = {made.id: made for made in reversed(found)}
    log = tuple(text for row in prompts.values() if (text := _text(row, "prompt")))
    cases = tuple(replace(made, store=home.name) for made in found if first[made.id] is made)
    return LabelledStore(home.name, home / NOTES, log, cases)


def _labels(home: Path, faults: list[Fault]) -> Iterator[tuple[Path, int, Mapping[str, Any]]]:
    """The labels of one store: its own file's, and those beside it that name the store."""
    own, beside = home / LABELS, home.parent / LABELS
    if own.is_file():
        for line, row in rows(own, faults):
            if _text(row, "store") in ("", home.name):
                yield own, line, row
    if beside.is_file():
        unread: list[Fault] = []
        for line, row in rows(beside, unread):
            if _text(row, "store") == home.name:
                yield beside, line, row
        faults.extend(fault for fault in unread if fault not in faults)


def _prompts(home: Path, faults: list[Fault]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    path = home / PROMPTS
    if path.is_file():
        for line, row in rows(path, faults):
            yield _text(row, "id") or f"line {line}", row


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _names(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key)
    return tuple(map(str, value)) if isinstance(value, list) else ()
