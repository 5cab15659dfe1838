"""`memgit sync`: exchange memories with a remote."""

import os
import sys

import click

from memgit.commands._help import examples
from memgit.commands.check import tell
from memgit.domain.sharing.syncing import Synced
from memgit.domain.sharing.syncing import sync as sync_store
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import printer, say

HOOK_VARIABLES = ("GIT_INDEX_FILE", "GIT_REFLOG_ACTION")
"""What git sets for the hooks of a commit, a merge or a rebase, and nobody sets by hand."""


@click.command(epilog=examples("memgit sync", "memgit sync --remote origin --json"))
@click.option("--remote", metavar="NAME", help="The remote [default: the branch's upstream].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def sync(store: str | None, remote: str | None, as_json: bool) -> None:
    """Commit what was written, take in what others pushed, and push. Never forces, never asks.

    Where both sides changed the same, nothing is changed, your commits are kept under
    refs/memgit/rescue, and the next step is told. What the gates find in what came is told too.
    """
    if any(name in os.environ for name in HOOK_VARIABLES):
        raise UsageError(
            "sync is not run by a git hook: nothing is pushed behind a commit",
            "run it by hand or by a timer",
        )
    talk = say if sys.stderr.isatty() else _nothing
    done = sync_store(Store.find(store), remote, talk)
    for finding in done.findings:
        say(str(finding.fault))
    tell(list(done.findings))
    printer(as_json).value(_value(done), lambda: _text(done))


def _nothing(text: str) -> None:
    """Nobody watches."""


def _value(done: Synced) -> dict[str, object]:
    return {
        "remote": done.remote,
        "branch": done.branch,
        "how": done.how,
        "received": done.received,
        "sent": done.sent,
        "saved": list(done.saved),
        "renamed": [{"from": old, "to": new} for old, new in done.renamed],
        "findings": [str(finding.fault) for finding in done.findings],
        "commit": done.commit,
    }


def _text(done: Synced) -> str:
    lines = [f"{old} is {new} now: the name came from the other side too"
             for old, new in done.renamed]  # fmt: skip
    counts = [f"{number} commit{'s' * (number != 1)} {what}"
              for number, what in ((done.received, "received"), (done.sent, "sent"))
              if number]  # fmt: skip
    how = f" ({done.how})" if done.received else ""
    told = f"{', '.join(counts)}{how}" if counts else "nothing new on either side"
    return "\n".join([*lines, f"{done.remote}/{done.branch}: {told}"])
