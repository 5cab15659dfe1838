"""What `memgit doctor --repair-native` shows and asks.

The one rule: nothing is taken over before a person has said yes to just that.
"""

import sys
from collections.abc import Iterator, Sequence

import click

from memgit.domain.examination.finding import several, typed
from memgit.domain.indexing.index import Index
from memgit.domain.native.belonging import Group, Lost, look
from memgit.domain.native.bringing import below, bring
from memgit.domain.store import Store, without_tilde
from memgit.output import printer, progress, say

NAMED = 6
"""Files of a group that are named."""


def repair(store: Store, roots: Sequence[str], dry_run: bool, as_json: bool) -> int:
    """Show what belongs where; in a terminal, ask for each group and take it over."""
    with progress("reading the agent's sessions") as told:
        found = list(look(store, [without_tilde(root) for root in roots], told))
    asks = not (dry_run or as_json) and sys.stdin.isatty() and sys.stdout.isatty()
    out = printer(as_json)
    left = 0
    for lost in found:
        out.value(_value(lost), "\n".join(_told(lost)))
        for group in (group for group in lost.groups if group.new):
            if not asks:
                left += 1
            elif _said_yes(lost, group):
                _bring(store, lost, group)
    if not found:
        say("every memory folder of the agent is read by one project that is there")
    elif left:
        again = typed("doctor", "--repair-native")
        say(f"nothing was changed; in a terminal, {again} asks for each")
    return 0


def _said_yes(lost: Lost, group: Group) -> bool:
    whose = f" of {group.project}" if group.project else ""
    count = several(len(group.new), "memory")
    return click.confirm(
        f"Take over {count}{whose}, below {below(lost, group)}/ of the store?",
        default=False, err=True,
    )  # fmt: skip


def _bring(store: Store, lost: Lost, group: Group) -> None:
    done = bring(store, lost, group)
    Index(store).sync()
    for remark in (*done.remarks, *done.left):
        say(f"  {remark.path}: {remark.text}")
    if done.commit:
        count = several(len(done.taken), "memory")
        say(f"  {count} in {done.commit[:12]}; memgit undo {done.commit[:12]} takes it back")


def _told(lost: Lost) -> Iterator[str]:
    if not any(group.new for group in (*lost.groups, *filter(None, [lost.unclear]))):
        yield f"{lost.folder / 'memory'}: {lost.stands}; all of it is in the store already"
        return
    yield f"{lost.folder / 'memory'}"
    yield f"  {lost.stands}: {lost.why}"
    for group in lost.groups:
        whose = group.project or "nobody's that is known"
        there = "" if group.is_there or not group.project else " (not there any more)"
        yield f"  → {whose}{there}: {_count(group)}: {_files(group.files)}"
        yield from (f"      {line}" for line in group.evidence)
    if lost.unclear:
        yield f"  ? unclear: {_count(lost.unclear)}: {_files(lost.unclear.files)}"
        yield from (f"      {line}" for line in lost.unclear.evidence)
        if lost.unclear.new:
            first = lost.folder / "memory" / lost.unclear.new[0]
            yield f"      read them, then {typed('import', first)} takes one over"


def _count(group: Group) -> str:
    had = len(group.files) - len(group.new)
    known = f", {had} of them in the store already" if had else ""
    return several(len(group.files), "memory") + known


def _files(files: Sequence[str]) -> str:
    more = len(files) - NAMED
    return ", ".join(files[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _value(lost: Lost) -> dict[str, object]:
    return {
        "folder": str(lost.folder / "memory"),
        "stands": lost.stands,
        "why": lost.why,
        "groups": [{**_group(one), "below": below(lost, one)} for one in lost.groups],
        "unclear": _group(lost.unclear) if lost.unclear else None,
    }


def _group(group: Group) -> dict[str, object]:
    return {"project": group.project or None, "is_there": group.is_there,
            "files": list(group.files), "new": list(group.new),
            "evidence": list(group.evidence)}  # fmt: skip
