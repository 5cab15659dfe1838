"""Branches of a person's project, and whether they have been merged: read, never changed.

The one rule: a branch counts as merged when what it changed is in the branch that the others go
into, however it got there: by a merge, a rebase, or squashed into one commit.
"""

import re
from pathlib import Path

from memgit.ports.git import Repository

LOOKED_AT = 2000
"""Commits of the main branch, newest first, in which a squashed branch is looked for."""

NARROWED = 200
"""Files that a branch changed, up to which only commits that touch them are looked at."""

_MAIN = ("main", "master", "trunk")


def identity(repository: Repository) -> str:
    """What all clones of a project are called alike: where it comes from, else its folder's name.

    An address is told without user, password, scheme and `.git`.
    """
    return identity_of(repository.config("remote.origin.url") or "", repository.common_dir)


def identity_of(address: str, common_dir: Path) -> str:
    """The same, of the address of a remote ("" for none) and the `.git` folder."""
    found = re.fullmatch(r"(?:\w+://)?(?:[^@/]*@)?([^/:]+)(?::\d+(?=/))?[:/]+(.+?)/*", address)
    if found and not address.startswith(("/", ".", "file:")):
        return f"{found[1]}/{found[2]}".removesuffix(".git")
    return common_dir.parent.name if common_dir.name == ".git" else common_dir.name


def main_branches(repository: Repository) -> list[str]:
    """The refs that branches are merged into: the remote's and the one here, where there are."""
    status, told, _ = repository.run_status(
        "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"
    )
    named = told.removeprefix("origin/") if status == 0 else None
    for name in (named, *_MAIN):
        refs = [f"refs/remotes/origin/{name}", f"refs/heads/{name}"] if name else []
        if found := [ref for ref in refs if commit(repository, ref)]:
            return found
    return []


def tip(repository: Repository, branch: str) -> str | None:
    """The last commit of a branch, here or else at a remote; None where there is none any more."""
    here = commit(repository, f"refs/heads/{branch}")
    if here:
        return here
    rows = repository.run(
        "for-each-ref", "--format=%(objectname)", f"refs/remotes/*/{branch}"
    ).split()
    return rows[0] if rows else None


def commit(repository: Repository, name: str) -> str | None:
    """The commit that a name or an id leads to here."""
    status, found, _ = repository.run_status(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
    )
    return found if status == 0 else None


def is_in(repository: Repository, commit: str, into: str) -> bool:
    """Whether a commit is in the history of another."""
    return repository.run_status("merge-base", "--is-ancestor", commit, into)[0] == 0


def is_merged(repository: Repository, tip: str, into: str) -> bool:
    """Whether what leads to `tip` is in `into`, also rebased or squashed into one commit."""
    if is_in(repository, tip, into):
        return True
    status, base, _ = repository.run_status("merge-base", tip, into)
    if status:
        return False
    base = base.split("\n")[0]
    changed = repository.run("diff", "--name-only", "-z", base, tip).split("\0")[:-1]
    if not changed:
        return False
    cherries = repository.run("cherry", into, tip).splitlines()
    if cherries and all(line.startswith("-") for line in cherries):
        return True
    return _adds_nothing(repository, tip, into) or _is_squashed(
        repository, tip, into, base, changed
    )


def _adds_nothing(repository: Repository, tip: str, into: str) -> bool:
    """Whether a merge would change nothing. An older git cannot tell, and says no."""
    status, tree, _ = repository.run_status("merge-tree", "--write-tree", into, tip)
    return status == 0 and tree == repository.run("rev-parse", f"{into}^{{tree}}")


def _is_squashed(
    repository: Repository, tip: str, into: str, base: str, changed: list[str]
) -> bool:
    """Whether one commit changed what the whole branch did."""
    wanted = _patches(repository, repository.run("diff", *_PATCH, base, tip))
    paths = changed if len(changed) <= NARROWED else []
    told = repository.run(
        "log", "--patch", *_PATCH, "--no-merges", f"--max-count={LOOKED_AT}", f"{base}..{into}",
        "--", *paths,
    )  # fmt: skip
    return bool(wanted & _patches(repository, told))


_PATCH = ("--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--no-renames",
          "--unified=3", "--diff-algorithm=myers")  # fmt: skip


def _patches(repository: Repository, text: str) -> set[str]:
    """What identifies each patch of a text, wherever its lines stand."""
    data = f"{text}\n".encode("utf-8", "surrogateescape")
    told = repository.run("patch-id", "--stable", stdin=data)
    return {line.split()[0] for line in told.splitlines() if line}
