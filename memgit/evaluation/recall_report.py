"""The report of an evaluation: one document of plain values, and the tables that people read.

The one rule: tables and page are made from the document alone, so that no form says more than
another.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memgit import __version__
from memgit.errors import Fault
from memgit.evaluation.corpus import (
    CHATTER,
    CONTEXTUAL,
    KINDS,
    NOTHING,
    SUBJECT,
    UNCOVERED,
    encodable,
)
from memgit.evaluation.metrics import Judged, Shown, figures, quantile, share
from memgit.evaluation.recall_eval import MEMGIT, Evaluation, Missed, Tried

Document = dict[str, Any]

EXCERPT = 400
"""Characters of a prompt that the report quotes."""

TERMS = 8
"""Terms that are named for a memory, the weightiest first."""


@dataclass(frozen=True)
class Section:
    """One table with its title and a line that says how to read it."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def document(found: Evaluation, faults: Sequence[Fault]) -> Document:
    """All figures as plain JSON values, each with its `n` and its 95 % interval."""
    ours = found.judged[MEMGIT]
    return {
        "version": __version__,
        "prompts": len(ours),
        "stores": sorted({one.case.store for one in ours}),
        "contenders": {
            name: _contender(judged, found.chatter[name]) for name, judged in found.judged.items()
        },
        "hook": _hook(found.tried),
        "missed": [_missed(missed) for missed in found.missed],
        "faults": [str(fault) for fault in faults],
    }


def _contender(judged: Sequence[Judged], chatter: Sequence[Judged]) -> Document:
    return {
        "all": figures(judged),
        "by_kind": _by(judged, lambda one: one.case.kind),
        "by_store": _by_and_kind(judged, lambda one: one.case.store),
        "by_language": _by_and_kind(judged, lambda one: one.case.lang or "?"),
        "chatter_file": share(sum(not one.shown for one in chatter), len(chatter)).record(),
    }


def _by(judged: Iterable[Judged], key: Callable[[Judged], str]) -> Document:
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(key(one), []).append(one)
    order = [kind for kind in (*KINDS, NOTHING) if kind in groups] or sorted(groups)
    return {name: figures(groups[name]) for name in order}


def _by_and_kind(judged: Sequence[Judged], key: Callable[[Judged], str]) -> Document:
    """For each group: all its figures, those of each kind, and silence where nothing belongs."""
    found = {}
    for name in sorted({key(one) for one in judged}):
        group = [one for one in judged if key(one) == name]
        idle = [one for one in group if not one.covered]
        found[name] = {
            "all": figures(group),
            "by_kind": _by(group, lambda one: one.case.kind),
            "silent_where_right": share(sum(one.good for one in idle), len(idle)).record(),
        }
    return found


def _hook(tried: Sequence[Tried]) -> Document:
    """The sample that went through the hook's own process; times are medians over its prompts."""
    sound = [one for one in tried if not one.fault]
    return {
        "prompts": len(tried),
        "same_answer": sum(one.same for one in sound),
        "differing": [f"{one.store} {one.id}" for one in sound if not one.same],
        "faults": [f"{one.store} {one.id}: {one.fault}" for one in tried if one.fault],
        "wall_ms": round(1000 * quantile((one.seconds for one in sound), 0.5), 2),
        "wall_p95_ms": round(1000 * quantile((one.seconds for one in sound), 0.95), 2),
        "bare_ms": round(1000 * quantile((one.bare for one in sound), 0.5), 2),
        "times_bare": round(
            quantile((one.seconds / one.bare for one in sound if one.bare), 0.5), 2
        ),
    }


def _missed(missed: Missed) -> Document:
    judged, case = missed.judged, missed.judged.case
    told = {held.memory.path for held in missed.held}
    return {
        "store": case.store,
        "id": case.id,
        "lang": case.lang,
        "kind": case.kind,
        "what": what(judged),
        "prompt": _excerpt(case.prompt),
        "shown": [{**_memory(one), "verdict": judged.verdict(one)} for one in judged.shown],
        "held_back": [
            {**_memory(held.memory), "place": held.place}
            for held in missed.held
            if held.memory.path not in {one.path for one in judged.shown}
        ],
        "not_found": [name for name in case.relevant if name not in told],
    }


def what(judged: Judged) -> str:
    """What went wrong with an answer, in a few words."""
    if not judged.covered:
        return "false alarm"
    if judged.good:
        return "right, with a wrong one"
    if not judged.shown:
        return "missed, silent"
    return "missed, others shown"


def _memory(shown: Shown) -> Document:
    weighty = sorted(shown.terms.items(), key=lambda item: (-item[1], item[0]))[:TERMS]
    return {
        "path": shown.path,
        "name": shown.name,
        "score": round(shown.score, 2),
        "terms": {term: round(weight, 2) for term, weight in weighty},
    }


def _excerpt(text: str) -> str:
    return encodable(text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…")


def sections(made: Document) -> list[Section]:
    """The tables of a report, the most important first."""
    contenders: Mapping[str, Document] = made["contenders"]
    found = [
        Section(
            "A right memory among the first two",
            "hit@2 with its 95 % interval; lenient: one that would also do counts",
            ("", "subject", "lenient", "contextual", "lenient"),
            tuple((name, *_hits(c["by_kind"])) for name, c in contenders.items()),
        ),
        _silence(contenders),
        Section(
            "What was shown",
            "precision: right ones among the shown; signed: +1 right, 0 silent, −1 each wrong one",
            ("", "shown", "precision", "lenient", "signed", "ms (p95)"),
            tuple((name, *_shown(c)) for name, c in contenders.items()),
        ),
    ]
    ours = contenders[MEMGIT]
    for title, key in (("store", "by_store"), ("language", "by_language")):
        found.append(
            Section(
                f"{MEMGIT} by {title}",
                f"hit@2 on subject prompts (mean of these rows {_mean_hit(ours[key])}); "
                "silence where no memory belongs",
                (title, "hit@2", "lenient", "silent", "precision"),
                tuple((name, *_group(group)) for name, group in ours[key].items()),
            )
        )
    found.append(
        Section(
            f"{MEMGIT} by kind",
            "prompts: a right memory shown, one that would do, only wrong ones, silence",
            ("kind", "prompts", "right", "would do", "wrong", "silent", "wrong memories"),
            tuple(_outcomes(kind, of) for kind, of in ours["by_kind"].items()),
        )
    )
    return found


def _silence(contenders: Mapping[str, Document]) -> Section:
    kinds = [
        kind
        for kind in (UNCOVERED, CHATTER, NOTHING)
        if any(kind in c["by_kind"] for c in contenders.values())
    ]
    with_file = any(c["chatter_file"]["n"] for c in contenders.values())
    return Section(
        "Silence where no memory belongs",
        "share of the prompts on which nothing was shown",
        ("", *kinds, *(["chatter file"] if with_file else [])),
        tuple(
            (
                name,
                *(figure(c["by_kind"].get(kind, {}).get("silent")) for kind in kinds),
                *([figure(c["chatter_file"])] if with_file else []),
            )
            for name, c in contenders.items()
        ),
    )


def _hits(by_kind: Mapping[str, Document]) -> tuple[str, ...]:
    return tuple(
        figure(by_kind.get(kind, {}).get(key))
        for kind in (SUBJECT, CONTEXTUAL)
        for key in ("hit2", "hit2_lenient")
    )


def _shown(contender: Document) -> tuple[str, ...]:
    of = contender["all"]
    ms = of["ms"]
    signed = of["signed"]["value"]
    return (
        str(of["precision"]["n"]),
        figure(of["precision"]),
        figure(of["precision_lenient"]),
        "–" if signed is None else f"{signed:+.2f}",
        f"{ms['median']:.1f} ({ms['p95']:.1f})",
    )


def _group(group: Document) -> tuple[str, ...]:
    subject = group["by_kind"].get(SUBJECT, {})
    return (
        figure(subject.get("hit2")),
        figure(subject.get("hit2_lenient")),
        figure(group["silent_where_right"]),
        figure(group["all"]["precision"]),
    )


def _mean_hit(groups: Mapping[str, Document]) -> str:
    """The plain mean over groups, so that one large group does not hide a small one."""
    subjects = [group["by_kind"].get(SUBJECT, {}).get("hit2") for group in groups.values()]
    found = [subject["value"] for subject in subjects if subject]
    return _short(sum(found) / len(found)) if found else "–"


def _outcomes(kind: str, of: Document) -> tuple[str, ...]:
    counts = of["outcomes"]
    return (kind, str(of["prompts"]), *map(str, counts.values()), str(of["wrong_memories"]))


def figure(of: Mapping[str, Any] | None) -> str:
    """`.47 (.38–.57)`; a dash where there was nothing to count."""
    if not of or of["value"] is None:
        return "–"
    if of["low"] is None:
        return _short(of["value"])
    return f"{_short(of['value'])} ({_short(of['low'])}–{_short(of['high'])})"


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1) if value < 1 else f"{value:.2f}"


def hook_line(made: Document) -> str:
    """What the sample through the hook's own process says, in a sentence."""
    hook = made["hook"]
    said = (
        f"Through the hook's own process: {hook['same_answer']} of {hook['prompts']} answers the "
        f"same; {hook['wall_ms']:.1f} ms at the median ({hook['wall_p95_ms']:.1f} at the 95th "
        f"percentile), {hook['times_bare']:.1f} times a bare interpreter's "
        f"{hook['bare_ms']:.1f} ms."
    )
    return " ".join([said, *(f"Fault: {fault}." for fault in hook["faults"])])
