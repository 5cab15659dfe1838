"""Making a repository a store: the files that it needs, laid down in one commit.

The one rule: a file that is there is never written over, and a person's own work never gets into
our commit.
"""

import os
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from memgit.domain.format.shape import fitting, stamped
from memgit.domain.operation import Operation
from memgit.domain.settings import FILE as SETTINGS
from memgit.domain.settings import FORMAT
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports import precommit
from memgit.ports.git import Repository
from memgit.ports.refusal import refusal
from memgit.ports.shipped import shipped

FIRST_ONLY = ".gitattributes"
"""Laid down only where there is no history yet: in a grown one it would make files look changed."""


@dataclass
class Adopted:
    """What was done: the files of the new `commit`, and what is left for the person to do."""

    commit: str | None = None
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def adopt(store: Store, fresh: bool) -> Adopted:
    """Lay down what a store needs and has not got, and commit just that.

    In a `fresh` repository, which we made, files of these names that were there before are taken
    into the commit as they are. Raises StoreError, with nothing changed, where a commit cannot be
    made now.
    """
    with store.locked():
        done = Adopted()
        files = _missing(store, fresh)
        if precommit.FILE not in files and (config := _gated(store, fresh, done)):
            files[precommit.FILE] = config
        if files:
            _refuse(store.repository)
            operation = Operation("init", "what a store needs", details=sorted(files))
            done.commit = store.commit(operation, files)
            done.files = sorted(files)
        return done


def _missing(store: Store, fresh: bool) -> dict[str, bytes | None]:
    """The shipped files that are not there, and in a fresh repository also those that are."""
    grown = store.repository.head() is not None
    found: dict[str, bytes | None] = {}
    for template in sorted(filter(Path.is_file, shipped("templates").iterdir())):
        target = store.root / template.name
        if not os.path.lexists(target):
            if not (grown and template.name == FIRST_ONLY):
                found[template.name] = template.read_bytes()
            if template.name == SETTINGS and (older := fitting(store)) != FORMAT:
                found[SETTINGS] = stamped(template.read_bytes(), older)
        elif fresh and template.name != precommit.FILE and _is_plain(target):
            found[template.name] = target.read_bytes()
    return found


def _gated(store: Store, fresh: bool, done: Adopted) -> bytes | None:
    """The person's pre-commit configuration with the gate in it, for our commit.

    None when there is nothing to commit: the gate is in it already, or what was done or is left to
    do is said in `done`.
    """
    target = store.root / precommit.FILE
    try:
        text = target.read_bytes().decode("utf-8") if _is_plain(target) else ""
    except UnicodeDecodeError:
        text = ""
    if precommit.has_hook(text):
        return text.encode("utf-8") if fresh else None
    entry = gate_entry()
    added = precommit.with_entry(text, entry)
    if added is None:
        done.notes.append(
            f"{precommit.FILE} could not be changed safely; add this to its `repos` by hand:\n"
            + textwrap.indent(entry.rstrip("\n"), "  ")
        )
        return None
    if more := precommit.others(text):
        done.notes.append(f"{precommit.FILE}: its other hooks run at commits too: {_few(more)}")
    if fresh or _is_committed(store.repository, precommit.FILE):
        return added.encode("utf-8")
    _write(target, added.encode("utf-8"))
    done.notes.append(f"{precommit.FILE} has the gate now, left for you to commit with your change")
    return None


def take_gate_out(store: Store) -> list[str]:
    """Put a pre-commit configuration back that the gate was added to. Returns what was done.

    Where the gate was changed since, or is all that there is, it stays; the first is told. It is
    committed where nothing of the person's is in the way.
    """
    target = store.root / precommit.FILE
    data = target.read_bytes() if _is_plain(target) else b""
    text = data.decode("utf-8", "surrogateescape")
    if not precommit.has_hook(text) or text == _shipped_configuration():
        return []
    if store.is_newer:
        return [f"{precommit.FILE}: left as it is, for the store is of a newer format"]
    before = precommit.without_entry(text, gate_entry())
    if before is None:
        return [f"{precommit.FILE}: {precommit.HOOK} stays, because it is not as memgit wrote it; "
                "take it out before memgit itself goes"]  # fmt: skip
    restored = before.encode("utf-8", "surrogateescape")
    with store.locked():
        if _is_committed(store.repository, precommit.FILE) and _can_commit(store.repository):
            operation = Operation("uninstall", f"{precommit.FILE} without the gate")
            store.commit(operation, {precommit.FILE: restored}, seen={precommit.FILE: data})
            return [f"{precommit.FILE}: put back as it was"]
        _write(target, restored)
    return [f"{precommit.FILE}: put back as it was, left for you to commit"]


def _can_commit(repository: Repository) -> bool:
    try:
        _refuse(repository)
    except StoreError:
        return False
    return True


def _shipped_configuration() -> str:
    return (shipped("templates") / precommit.FILE).read_text(encoding="utf-8")


def gate_entry() -> str:
    """The gate's item of `repos`, from the shipped configuration, starting in column 0."""
    return textwrap.dedent(_shipped_configuration().partition("repos:\n")[2])


def _is_committed(repository: Repository, path: str) -> bool:
    """Whether HEAD, the index and the work tree hold the same file at this path."""
    known, _, _ = repository.run_status("ls-files", "--error-unmatch", "--", path)
    return known == 0 and not repository.run("status", "--porcelain", "--", path)


def _refuse(repository: Repository) -> None:
    """Raise StoreError where a commit would go astray or could not be made."""
    if what := repository.in_progress():
        raise StoreError(
            f"{repository.root}: a {what} is in progress",
            f"finish it, or `git {what} {'reset' if what == 'bisect' else '--abort'}`",
        )
    if repository.run_status("symbolic-ref", "--quiet", "HEAD")[0]:
        raise StoreError(
            f"{repository.root}: HEAD is detached, a commit here would belong to no branch",
            "switch to a branch: `git switch BRANCH`",
        )
    for who in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        status, _, said = repository.run_status("var", who)
        if status:
            raise refusal(repository.root, "var", said)


def _is_plain(target: Path) -> bool:
    return target.is_file() and not target.is_symlink()


def _write(target: Path, data: bytes) -> None:
    aside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        aside.write_bytes(data)
        os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)


def _few(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
