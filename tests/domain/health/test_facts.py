"""What is gathered of a store: its past in figures, its trees, what is marked, what to do."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.health import runs
from memgit.domain.health.descent import DEEPEST, MADE_INTO, MOST, REPLACES, Node, descent
from memgit.domain.health.gathering import LATER, gather
from memgit.domain.health.judging import BAD, OK, WARN, judge
from memgit.domain.health.marked import SUPERSEDED, UNVERIFIED
from memgit.domain.health.past import DAY, MONTH, PERIODS, WEEK, Past, past
from memgit.domain.operation import Operation
from memgit.domain.operations.history import Event
from memgit.domain.store import Store
from memgit.ports.history import Commit, Touched

Run = Callable[..., Any]

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def event(
    day: str, kind: str = "edit", name: str = "tide", path: str | None = None, **more: Any
) -> Event:
    """An operation of a day; with a `path`, one that brought a memory there."""
    operation = Operation(kind, name, (name,), **more)
    touched = (Touched(None, path, None, "b" * 40),) if path else ()
    return Event(
        Commit(f"{kind}-{name}-{day}", (), f"{day}T10:00:00+09:00", "x", "", touched), operation
    )


def of(*days: str, today: str = "2026-12-01", memories: int = 0) -> Past:
    newest_first = sorted(days, reverse=True)
    made = [event(day, "add", path=f"{number}.md") for number, day in enumerate(newest_first)]
    return past(made, memories or len(days), (), date.fromisoformat(today))


def test_growth_is_what_came_and_went_counted_back_from_now() -> None:
    found = of("2026-11-28", "2026-11-28", "2026-11-30", memories=5)
    assert found.step == DAY
    assert [(one.start.day, one.memories) for one in found.periods] == [
        (28, 4), (29, 4), (30, 5), (1, 5),
    ]  # fmt: skip
    assert found.periods[0].counts["written"] == 2
    gone = Event(Commit("c", (), "2026-12-01T01:00:00+00:00", "x", "",
                        (Touched("0.md", None, "b" * 40, None),)), None)  # fmt: skip
    moved = Event(Commit("d", (), "2026-12-01T02:00:00+00:00", "x", "",
                         (Touched("1.md", "2.md", "b" * 40, "b" * 40),)), None)  # fmt: skip
    rows = past([moved, gone, event("2026-11-30", "add", path="0.md")], 3, (), NOW.date()).periods
    assert [one.memories for one in rows] == [4, 3]


@pytest.mark.parametrize(
    ("first", "step"),
    [("2026-11-01", DAY), ("2026-06-01", WEEK), ("2025-06-01", MONTH), ("2009-01-01", MONTH)],
)
def test_periods_are_few_enough_for_a_chart_and_end_today(first: str, step: str) -> None:
    found = of(first, "2026-12-01")
    assert found.step == step
    assert len(found.periods) <= PERIODS
    starts = [one.start for one in found.periods]
    assert starts == sorted(starts)
    assert starts[-1] <= NOW.date()
    if first >= "2025":
        assert starts[0] <= date.fromisoformat(first)
        assert found.periods[0].memories == 1
    assert found.periods[-1].memories == 2
    assert of().periods, "a store in which nothing happened has a chart too"


def test_deeds_are_told_by_name_and_what_was_undone_says_so() -> None:
    labelled = event("2026-11-01", "label", to="unverified", because="gone")
    taken_back = event("2026-11-02", "undo", undoes=labelled.id)
    again = event("2026-11-03", "label", to="unverified")
    told = past([again, taken_back, labelled], 1, ["TIDE"], NOW.date()).deeds["tide"]
    assert [(deed.kind, deed.is_undone) for deed in told] == [
        ("label", False), ("undo", False), ("label", True),
    ]  # fmt: skip
    restored = event("2026-11-04", "undo", undoes=taken_back.id)
    told = past([restored, taken_back, labelled], 1, ["tide"], NOW.date()).deeds["tide"]
    assert not told[-1].is_undone, "the undoing was undone"


def test_what_reaches_a_memory_by_way_of_another_names_that_one() -> None:
    made = Operation("supersede", "tide by fog", ("tide", "berth"), to="fog")
    commit = Commit("c", (), "2026-12-01T01:00:00+00:00", "x", "", ())
    deeds = past([Event(commit, made)], 2, ["tide", "berth"], NOW.date()).deeds
    assert [deeds[key][0].about for key in ("tide", "berth")] == ["", "tide"]


def row(
    name: str, by: str = "", origins: tuple[str, ...] = (), aliases: tuple[str, ...] = ()
) -> Any:
    labels = [f"superseded by {by}"] if by else []
    return {"name": name, "path": f"{name}.md", "aliases": list(aliases), "superseded_by": by,
            "derived_from": list(origins), "labels": labels}  # fmt: skip


def flat(nodes: Any) -> list[Node]:
    return [one for node in nodes for one in (node, *flat(node.below))]


def test_trees_tell_what_replaced_what_and_what_came_of_what() -> None:
    rows = [row("old", "new"), row("older", "Old"), row("new"), row("made", origins=("was-new",)),
            row("alone"), row("lost", "nowhere"), row("new2", aliases=("was-new",))]  # fmt: skip
    found = descent(rows)
    assert (found.supersessions, found.derivations, found.left_out) == (2, 1, 0)
    first, second = found.trees
    assert [(one.name, one.relation) for one in flat([first])] == [
        ("new", ""), ("old", REPLACES), ("older", REPLACES),
    ]  # fmt: skip
    assert [(one.name, one.relation) for one in flat([second])] == [
        ("new2", ""),
        ("made", MADE_INTO),
    ]


def test_circles_and_long_chains_end_and_what_is_left_out_is_counted() -> None:
    circle = descent([row("a", "b"), row("b", "c"), row("c", "a"), row("self", "self")])
    assert sorted(one.name for one in flat(circle.trees)) == ["a", "b", "c"]
    rows = [row(f"m{n}", f"m{n + 1}") for n in range(5_000)] + [row("m5000")]
    chain = descent(rows)
    shown = len(flat(chain.trees))
    assert shown <= MOST
    assert shown + chain.left_out == 5_001
    wide = descent([row(f"m{n}", "top") for n in range(500)] + [row("top")])
    assert len(flat(wide.trees)) == MOST
    assert wide.left_out == 501 - MOST
    assert DEEPEST < MOST


def test_runs_are_kept_by_commit_and_what_is_no_run_is_passed_over(store: Path) -> None:
    opened = Store.at(store)
    assert runs.runs(opened) == []
    first = runs.Run("2026-11-01T10:00:00+00:00", "a" * 40, "0.1", 60, 40, 48, 11, 12, 8.5)
    for hits in (40, 41):
        runs.keep(opened, runs.Run(**{**vars(first), "hits": hits}))
    runs.keep(opened, runs.Run(**{**vars(first), "commit": "b" * 40}))
    assert [(one.commit[0], one.hits) for one in runs.runs(opened)] == [("a", 41), ("b", 40)]
    file = opened.derived / runs.FILE
    rows = [*json.loads(file.read_text()), {"at": "never"}, 7, None]
    file.write_text(json.dumps(rows))
    assert len(runs.runs(opened)) == 2
    file.write_text("[" * 100_000)
    assert runs.runs(opened) == []
    for number in range(runs.KEPT + 20):
        runs.keep(opened, runs.Run(**{**vars(first), "commit": str(number)}))
    assert len(runs.runs(opened)) == runs.KEPT


def test_a_store_of_a_person_is_gathered_with_its_stories(sample: Path, memgit: Run) -> None:
    at = ("--store", sample)
    memgit(*at, "label", "ci-jobs", "unverified", "--because", "moved")
    memgit(*at, "supersede", "ci-jobs", "--by", "rate-limits", "--because", "one list")
    memgit(*at, "undo")
    found = gather(Store.at(sample), NOW)
    marks = {one.name: one for one in found.marked}
    ci = marks["ci-jobs"]
    assert (ci.mark, ci.why) == (UNVERIFIED, ["unverified: moved"])
    assert [(deed.kind, deed.is_undone) for deed in ci.deeds] == [
        ("undo", False), ("supersede", True), ("label", False), ("edit", False),
    ]  # fmt: skip
    assert ci.undo == ci.deeds[2].commit, "not that which was undone already"
    assert marks["payment-timeout-30s"].mark == SUPERSEDED
    assert marks["payment-timeout-30s"].undo == "", "it was written by hand"
    assert found.past.kinds["label"] == 1
    assert sum(one.measure.lines for one in found.gauges) > 40


def test_what_is_shown_is_counted_by_place_or_content_and_the_rest_never_was(sample: Path) -> None:
    opened = Store.at(sample)
    blob = opened.repository.run("rev-parse", "HEAD:ops/ci-jobs.md")
    opened.derived.mkdir(parents=True)
    (opened.derived / "usage.log").write_text(
        f"1790000000 00000001 {blob} old/place.md\n"
        f"1790000100 00000002 {'c' * 40} ops/ci-jobs.md\n"
        f"1790000200 00000002 {'d' * 40} gone.md\nnonsense\n99999999999999 x y z\n"
    )
    use = gather(opened, NOW).use
    assert use.since == datetime.fromtimestamp(1790000000, UTC)
    assert (use.times, use.sessions) == (3, 2)
    assert [(one.name, one.times, one.sessions) for one in use.shown] == [("ci-jobs", 2, 2)]
    assert "ci-jobs" not in use.never
    assert "payment-timeout-30s" not in use.never, "what is superseded is not missed"
    assert "rate-limits" in use.never


def test_verdicts_are_counted_by_probe_the_last_one_of_each_claim(sample: Path) -> None:
    opened = Store.at(sample)
    opened.derived.mkdir(parents=True)
    rows = [("a", "supported", "path_exists"), ("a", "refuted", "path_exists"),
            ("b", "supported", "path_exists"), ("c", "unknown", "")]  # fmt: skip
    (opened.derived / "verdicts.jsonl").write_text("".join(
        json.dumps({"key": key, "verdict": verdict, "checked": "2026-11-01", "state": "",
                    **({"probe": probe} if probe else {})}) + "\n"
        for key, verdict, probe in rows
    ))  # fmt: skip
    found = {one.probe: one.counts for one in gather(opened, NOW).verdicts}
    assert found == {"path_exists": {"refuted": 1, "supported": 1}, LATER: {"unknown": 1}}


def test_the_verdict_is_the_worst_of_what_there_is_to_do(store: Path, git: Run) -> None:
    empty = judge(gather(Store.at(store), NOW))
    assert (empty.state, [one.code for one in empty.concerns]) == (WARN, ["behind", "empty"])
    (store / "tabs.md").write_text("Indent with tabs.\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=save: tabs")
    behind = judge(gather(Store.at(store), NOW))
    assert [one.code for one in behind.concerns] == ["behind", "unasked"]
    derived = Store.at(store).derived
    stamp = int((NOW - timedelta(hours=1)).timestamp())
    (derived / "latency.log").write_text(f"{stamp} 009000 silent\n")
    assert judge(gather(Store.at(store), NOW)).state == OK
    (derived / "latency.log").write_text(f"{stamp} 150900 late\n{stamp} 9000 fault\n1 9000 fault\n")
    told = judge(gather(Store.at(store), NOW)).concerns
    assert [(one.code, one.count) for one in told] == [("fault", 1), ("late", 1)]
    (store / "MEMORY.md").write_text("- a line\n" * 230)
    over = judge(gather(Store.at(store), NOW))
    assert (over.state, over.concerns[0].code, over.concerns[0].count) == (BAD, "over", 30)
    assert over.concerns[0].do == "memgit budget --fit"
