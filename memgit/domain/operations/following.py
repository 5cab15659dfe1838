"""What is done after git itself made a commit, or took some in: what follows from it is said too.

The one rule: it is an operation of its own behind the commit, never a change of it; and nothing is
committed in the middle of a rebase. What could not be followed then is followed the next time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memgit.domain.operation import Operation
from memgit.domain.operations.turns import owe, owed, turns
from memgit.domain.store import Store

HOOKS = ("post-commit", "post-merge", "post-rewrite")
"""The hooks of git after which there may be something to follow. Another branch that is merely
checked out has been followed where it was made."""

LIST = "MEMORY.md"


@dataclass(frozen=True)
class Followed:
    """The subject of each operation made, with the names of the memories that it changed; and
    whether `MEMORY.md` was made anew, or is not what the memories say and was left so.
    """

    operations: Sequence[tuple[str, Sequence[str]]] = ()
    made_anew: bool = False
    is_stale: bool = False


def follow(store: Store, hook: str, since: str | None) -> Followed:
    """Follow what a hook of git tells of, from the commit `since` to the one checked out.

    What derives from a memory that came to be at fault is labelled. After a merge that was made
    here `MEMORY.md` is made anew; what came as it is stays as it is, so that clones stay the same.
    """
    repository = store.repository
    since = owed(store) or since
    if repository.branch() is None and not repository.in_progress():
        return Followed()
    head = repository.head()
    found = turns(store, since, head)
    if found and repository.in_progress():
        owe(store, since)
        return Followed()
    done: list[tuple[str, Sequence[str]]] = []
    if found:
        from memgit.domain.operations.catching_up import catch_up

        done = [(one.operation.subject, one.operation.memories[1:])
                for one in catch_up(store, since)]  # fmt: skip
    return Followed(done, *_list(store, hook, head))


def _list(store: Store, hook: str, head: str | None) -> tuple[bool, bool]:
    """(whether `MEMORY.md` was made anew, whether it is another than what the memories say)."""
    merge, *_ = store.repository.run_status("rev-parse", "--verify", "--quiet", f"{head}^2")
    if (merge and hook == HOOKS[0]) or store.repository.in_progress():
        return False, False
    from memgit.domain.recording import is_current, record

    if is_current(store):
        return False, False
    if merge:
        return False, True
    record(store, Operation("save", f"{LIST}, made anew after a merge"), {})
    return True, False
