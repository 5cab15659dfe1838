"""`memgit propose`: put proposals on a branch that others can look at and merge."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from memgit.commands._help import examples
from memgit.commands._words import PROPOSAL
from memgit.domain.proposals.learning import Learned, learn
from memgit.domain.proposals.proposing import Proposed
from memgit.domain.proposals.proposing import propose as put_forward
from memgit.domain.proposals.reviewing import waiting
from memgit.domain.proposals.waiting import Held, Waiting
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import printer, say
from memgit.ports.shipped import shipped

RECIPE = Path(".github") / "workflows" / "memgit.yaml"


@click.command(epilog=examples("memgit propose", "memgit propose 3f2a 91c0 --json"))
@click.argument("ids", metavar="[ID...]", nargs=-1, type=PROPOSAL)
@click.option("--remote", metavar="NAME", help="The remote [default: the branch's upstream].")
@click.option("--ci", is_flag=True, help=f"Only lay down {RECIPE.as_posix()}, which runs the gates "
              "and the battery on such a request.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def propose(
    store: str | None, ids: Sequence[str], remote: str | None, ci: bool, as_json: bool
) -> None:
    """Push a branch with a commit for each proposal that waits, or for those named, and a readable
    description: through gh or glab where they are installed, else the branch and a file to paste.

    Merging it is accepting. What was merged or closed since the last time is learnt first. Nothing
    is ever forced, and nothing is committed to the branch that the memories live on.
    """
    opened = Store.find(store)
    if ci:
        _lay_down(opened)
        return
    talk = say if sys.stderr.isatty() else _nothing
    learned = learn(opened, talk)
    every = _chosen(opened, ids)
    done = put_forward(opened, every, datetime.now(UTC), remote, talk) if every else Proposed()
    printer(as_json).value(_record(learned, done), lambda: _text(learned, done, every))


def _nothing(text: str) -> None:
    """Nobody watches."""


def _chosen(store: Store, ids: Sequence[str]) -> list[Held]:
    """Those named; else all that wait, are not put off, and are on no branch yet."""
    queue = Waiting(store)
    if ids:
        return [queue.find(id_) for id_ in ids]
    now = datetime.now(UTC)
    return [one for one in waiting(store) if not (one.branch or one.is_deferred(now))]


def _lay_down(store: Store) -> None:
    """The recipe for the forge's own machines, where there is none yet."""
    target = store.root / RECIPE
    if target.exists():
        raise UsageError(f"{target} is there already", "compare it with the one that comes along: "
                         f"{shipped('templates') / 'ci' / 'github-actions.yaml'}")  # fmt: skip
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes((shipped("templates") / "ci" / "github-actions.yaml").read_bytes())
    printer(False).value(None, f"wrote {target}; commit it with git, then push it")


def _record(learned: Learned, done: Proposed) -> dict[str, Any]:
    request = done.request
    return {
        "accepted": learned.accepted, "rejected": learned.rejected, "behind": learned.behind,
        "request": request.as_json() if request else None,
        "body": str(done.body) if done.body else None,
        "skipped": [{"id": one.id, "why": why} for one, why in done.skipped],
        "note": done.note,
    }  # fmt: skip


def _text(learned: Learned, done: Proposed, every: Sequence[Held]) -> str:
    lines = [f"{what}: {', '.join(some)}" for what, some in
             (("merged since", learned.accepted), ("closed since", learned.rejected))
             if some]  # fmt: skip
    lines += [f"{remote} has commits that are not here: memgit sync" for remote in learned.behind]
    lines += [f"left out {one.id} ({one.kind} {one.told}): {why}" for one, why in done.skipped]
    if request := done.request:
        count = f"{len(request.ids)} proposal{'s' * (len(request.ids) != 1)}"
        where = f"pushed to {request.remote}" if request.pushed else "made here"
        lines.append(f"{count} on {request.branch}, {where}, to be merged into {request.base}")
        lines.append(request.url or f"  its description: {done.body}")
    lines += [done.note] if done.note else []
    return "\n".join(lines) if lines or every else "nothing waits that is not on a branch already"
