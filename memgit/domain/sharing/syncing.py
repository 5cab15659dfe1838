"""Exchanging memories with a remote: what was written is committed, what others did is taken in,
and both go back.

The one rule: nothing is forced, and nothing is given up. What cannot be merged stays as it is on
both sides, under a ref of its own, until a person decides.
"""

import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memgit.domain.always_on.listing import FILE as INDEX
from memgit.domain.gates.scope import File, some
from memgit.domain.gates.table import Finding, judge
from memgit.domain.indexing.index import Index
from memgit.domain.memory import is_memory_path
from memgit.domain.operations.catching_up import catch_up
from memgit.domain.purged import came_back, left_here
from memgit.domain.saving import save
from memgit.domain.sharing import merge_driver
from memgit.domain.sharing.moving import Moved, move_to
from memgit.domain.sharing.twins import keep_both, twins
from memgit.domain.store import Store
from memgit.domain.upstream import Line
from memgit.errors import StoreError
from memgit.ports import workshop
from memgit.ports.lock import hold
from memgit.ports.remotes import (
    Interrupted,
    clear_stale_locks,
    fetch,
    push,
    tracking,
)

TRIES = 25
"""Times that others may push first before it is given up for now."""

PATIENCE = 300.0
"""Seconds to wait for another sync of the same clone, which may have a slow server to talk to."""

BREAKS = 4
"""Times that the talk with the server may break off."""

RESCUE = "refs/memgit/rescue"
"""Below it stands what was here when a merge could not be made."""

REPLAYED = 50
"""Local commits that are put on top of the others' one by one; more of them are merged at once."""


@dataclass(frozen=True)
class Synced:
    """What was exchanged with `branch` of `remote`: commits `received` and `sent`, and `how` they
    came together (`current`, `forwarded`, `rebased`, `merged`). `saved` are paths committed first,
    `renamed` (old, new) names of memories that got another because the name had come from the other
    side too, `findings` what the gates say of the memories that came.
    """

    remote: str
    branch: str
    how: str = "current"
    received: int = 0
    sent: int = 0
    saved: Sequence[str] = ()
    renamed: Sequence[tuple[str, str]] = ()
    findings: Sequence[Finding] = ()
    commit: str = ""


def sync(store: Store, remote: str | None = None, told: Callable[[str], None] = print) -> Synced:
    """Commit what was only written, take in the remote's commits, and push. The index follows.

    Raises StoreError where there is no way to the remote, where it refuses, or where both sides
    changed the same; then the work tree holds what it held, and both histories are there.
    """
    repository = store.repository
    repository.expect_nothing_in_progress()
    lock = repository.common_dir / "memgit" / "sync.lock"
    with hold(lock, f"the sync of {store.root}", PATIENCE):
        line = Line.of(store, remote)
        clear_stale_locks(repository, [tracking(line.remote, line.theirs), "HEAD",
                                       f"refs/heads/{line.ours}"])  # fmt: skip
        merge_driver.install(repository)
        store.tidy()
        done = _Exchange(store, line, told).carry_out()
        line.record(store)
    return done


@dataclass
class _Exchange:
    """One sync on its way, with what is to be told of it."""

    store: Store
    line: Line
    told: Callable[[str], None]
    how: str = "current"
    start: str | None = None
    saved: dict[str, None] = field(default_factory=dict)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    received: set[str] = field(default_factory=set)
    committed: dict[str, None] = field(default_factory=dict)

    def carry_out(self) -> Synced:
        """Save, fetch, integrate and push, again where others were faster."""
        fault: StoreError | None = None
        breaks = 0
        for again in range(TRIES):
            if again:
                time.sleep(random.uniform(0.05, 0.2) * min(again, 6))  # noqa: S311
            self._save()
            try:
                theirs = self._fetch()
                if not self._integrated(theirs):
                    continue
                catch_up(self.store, self.start)
                sent = self._pushed(theirs)
            except Interrupted as broken:
                fault = broken
                breaks += 1
                if breaks == BREAKS:
                    break
                continue
            if sent is not None:
                return self._told(sent)
        raise fault or StoreError(
            f"{self.line}: others kept pushing, {TRIES} times in a row",
            "your commits are here and safe; `memgit sync` again",
        )

    def _save(self) -> None:
        done = save(self.store, "user")
        self.saved.update(dict.fromkeys(done.paths))
        if done.commit:
            self.committed.update(dict.fromkeys(done.paths or [INDEX]))
        head = self.store.repository.head()
        self.start = self.start or head

    def _fetch(self) -> str | None:
        self.told(f"fetching {self.line}")
        return fetch(self.store.repository, self.line.remote, self.line.theirs, self.told)

    def _integrated(self, theirs: str | None) -> bool:
        """Whether what is checked out holds all of theirs; False where it has to be tried again."""
        if theirs is None:
            return True
        with self.store.locked():
            self.line.expect_known_format(self.store, theirs, self._so_far())
            self._expect_nothing_purged(theirs)
            ours = self.store.repository.head()
            if ours is None:
                raise StoreError(
                    f"{self.store.root}: no commit yet", f"git clone {self.line.remote} instead"
                )
            base = workshop.base(self.store.repository, ours, theirs)
            if base == theirs:
                return True
            self._expect_nothing_left(ours, theirs)
            if base is None:
                raise self._rescue(ours, theirs, [], self._strangers())
            new = theirs
            if base != ours:
                ours, new = self._combined(ours, theirs, base)
            try:
                move_to(self.store, ours, new, f"sync with {self.line}")
            except Moved:
                return False
            came = self.store.repository.run("rev-list", theirs, f"^{ours}").split()
            self.received.update(came)
            if self.how != "merged":
                self.how = "forwarded" if new == theirs else self._way
        self._save()  # the list of memories follows from those of both sides
        return True

    def _expect_nothing_purged(self, theirs: str) -> None:
        """Raise StoreError where the remote still has what was purged here."""
        old, others = came_back(self.store, theirs)
        if not old:
            return
        line, git = self.line, f"git -C {self.store.root}"
        first = f"take over what is worth it of {others} commits that only {line} has, then " * (
            others > 0
        )
        raise StoreError(
            f"{line} still has {old} commits that `memgit purge` took out of history here: nothing "
            f"was taken in or pushed; {self._so_far()}",
            f"{first}whoever may replace the branch there: {git} push --force-with-lease "
            f"{line.remote} {line.ours}:{line.theirs}; or give up what is here for a new clone. "
            "Every other clone must be cloned anew, or it brings them back",
        )

    def _expect_nothing_left(self, ours: str, theirs: str) -> None:
        """Raise StoreError where this clone still has what was purged elsewhere."""
        old = left_here(self.store, ours, theirs)
        if old:
            raise StoreError(
                f"{self.line} was purged of a secret, and {old} commits here are of its old "
                f"history: nothing was taken in or pushed; {self._so_far()}",
                "clone it anew beside this one, take over the memories that only this one has, "
                f"then remove {self.store.root}, which holds the secret still",
            )

    def _so_far(self) -> str:
        """What a sync that ends without a merge has done to what is here."""
        done = []
        if self.committed:
            done.append(f"committed here: {', '.join(self.committed)}")
        done += [f"renamed here: {old} is {new} now" for old, new in self.renamed]
        if self.received:
            done.append(f"taken in before that: {len(self.received)} commits")
        return "; ".join(done) or "nothing was changed here"

    def _strangers(self) -> str:
        if (self.store.repository.common_dir / "shallow").exists():
            return "this clone is shallow (`git fetch --unshallow` first)"
        return "they have no common history"

    def _combined(self, ours: str, theirs: str, base: str) -> tuple[str, str]:
        """(our commit, both histories in one): ours on top where that tells nothing wrong, else
        merged. Ours is another than before where a memory had to be renamed for it.
        """
        if self._may_be_replayed(ours, theirs):
            self.told(f"putting commits on top of {self.line}")
            try:
                self._way = "rebased"
                return ours, workshop.rebased(self.store.repository, ours, theirs)
            except workshop.Unmergeable:
                pass  # commit by commit it may fail where both ends go together
        self.told(f"merging {self.line}")
        try:
            self._way = "merged"
            merge = f"merge {self.line}"
            return ours, workshop.merged(self.store.repository, ours, theirs, merge)
        except workshop.Unmergeable as torn:
            paths = twins(self.store, ours, base, theirs)
            if torn.paths and paths.issuperset(torn.paths):
                self.renamed += keep_both(self.store, sorted(paths), theirs)
                return self._combined(self.store.repository.head() or ours, theirs, base)
            raise self._rescue(ours, theirs, torn.paths, torn.said) from None

    _way = "merged"

    def _may_be_replayed(self, ours: str, theirs: str) -> bool:
        """Whether our commits may become others: nobody has them, signed them, or names them."""
        repository = self.store.repository
        mine = repository.run("rev-list", "--parents", ours, f"^{theirs}").splitlines()
        rows = [row.split() for row in mine]
        if len(rows) > REPLAYED or any(len(row) > 2 for row in rows):
            return False
        unseen = repository.run("rev-list", ours, "--not", "--remotes").split()
        if set(unseen) < {row[0] for row in rows}:
            return False
        told = repository.run("rev-list", "--header", ours, f"^{theirs}")
        undone = set(re.findall(r"^ *Memgit-Undoes: ([0-9a-f]+)$", told, re.MULTILINE))
        signed = re.search(r"^gpgsig", told, re.MULTILINE)
        return not signed and undone.isdisjoint(row[0] for row in rows)

    def _rescue(self, ours: str, theirs: str, paths: Sequence[str], said: str) -> StoreError:
        """The fault to raise where the two do not go together; ours is kept under a ref."""
        repository = self.store.repository
        kept = repository.run(
            "for-each-ref", f"--points-at={ours}", "--format=%(refname)", RESCUE
        ).split()
        ref = kept[0] if kept else f"{RESCUE}/{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        if not kept:
            repository.run("update-ref", ref, ours)
        what = f"both sides changed {', '.join(paths)}" if paths else said
        merge = f"git -C {self.store.root} merge {self.line}"
        if not paths:
            merge += " --allow-unrelated-histories"
        return StoreError(
            f"{self.line} cannot be merged: {what}; {self._so_far()}; your commits are also "
            f"kept as {ref}",
            f"{merge}, mend the files, git commit -a, then memgit sync",
        )

    def _pushed(self, theirs: str | None) -> int | None:
        """How many commits the remote took; None where it has others by now."""
        repository = self.store.repository
        head = repository.head()
        if head is None or head == theirs:
            return 0
        count = len(repository.run("rev-list", head, *([f"^{theirs}"] if theirs else [])).split())
        self.told(f"pushing {count} commit{'s' * (count != 1)} to {self.line}")
        taken = push(repository, self.line.remote, head, self.line.theirs, self.told)
        return count if taken else None

    def _told(self, sent: int) -> Synced:
        Index(self.store).sync()
        head = self.store.repository.head() or ""
        return Synced(
            self.line.remote, self.line.theirs, self.how, len(self.received), sent,
            list(self.saved), self.renamed, self._findings(head), head,
        )  # fmt: skip

    def _findings(self, head: str) -> list[Finding]:
        """What the gates say of the memories that are others than before."""
        if not self.start or not self.received:
            return []
        changes = self.store.repository.changes(self.start, head) or []
        present = {change.path: change.blob for change in changes
                   if change.blob and is_memory_path(change.path)}  # fmt: skip
        gone = [change.path for change in changes if not change.blob]
        contents = self.store.repository.blobs(present.values())
        files = [File(path, data) for path, data in zip(present, contents, strict=True)]
        return judge(some(self.store, files, gone))
