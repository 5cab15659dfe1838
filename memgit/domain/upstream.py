"""Which branch of which remote a store is exchanged with.

The one rule: what git is set to holds; where it is not, only what leaves no choice is taken.
"""

from dataclasses import dataclass

from memgit.domain.settings import FILE, FORMAT
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.remotes import remotes
from memgit.prompt.place import format_in


@dataclass(frozen=True)
class Line:
    """Which branch here goes with which branch of which remote; `is_new` where git was not told."""

    remote: str
    ours: str
    theirs: str
    is_new: bool

    @classmethod
    def of(cls, store: Store, named: str | None) -> "Line":
        """The one that git is set to, else the only one that there is."""
        repository = store.repository
        branch = repository.branch()
        if branch is None:
            raise StoreError(
                f"{store.root}: no branch is checked out", "`git switch main`, or the one you mean"
            )
        known = remotes(repository)
        merge = (repository.config(f"branch.{branch}.merge") or "").removeprefix("refs/heads/")
        upstream = repository.config(f"branch.{branch}.remote") if merge else None
        remote = named or upstream or (known[0] if len(known) == 1 else None)
        if not known:
            raise StoreError(
                f"{store.root}: no remote to sync with",
                f"git -C {store.root} remote add origin ADDRESS, then memgit sync",
            )
        if remote is None:
            raise StoreError(
                f"{branch} has no upstream, and there are {len(known)} remotes: {', '.join(known)}",
                f"name one: memgit sync --remote {known[0]}",
            )
        if remote not in known:
            raise StoreError(f"{remote} is no remote of {store.root}", f"known: {', '.join(known)}")
        follows = merge if remote == upstream else ""
        return cls(remote, branch, follows or branch, upstream is None)

    def record(self, store: Store) -> None:
        """Tell git of it, so that `git status` and `git pull` know too."""
        if self.is_new:
            name = f"branch.{self.ours}"
            store.repository.run("config", "--local", f"{name}.remote", self.remote)
            store.repository.run("config", "--local", f"{name}.merge", f"refs/heads/{self.theirs}")

    def expect_known_format(self, store: Store, theirs: str, so_far: str) -> None:
        """Raise StoreError where the commit `theirs` has the store in a format not known here."""
        _, text, _ = store.repository.run_status("show", f"{theirs}:{FILE}")
        if (number := format_in(text)) > FORMAT:
            raise StoreError(
                f"{self} is of format {number}, this memgit knows {FORMAT}: nothing was taken in "
                f"or pushed; {so_far}",
                "upgrade with `pip install --upgrade memgit-tools`, then sync again",
            )

    def __str__(self) -> str:
        return f"{self.remote}/{self.theirs}"
