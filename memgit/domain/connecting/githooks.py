"""The git hooks of a store's repository: they run the gate, and keep the index in step.

The one rule: every hook that ran before runs still, first, with the same arguments and input, and
nothing outside of this repository is ever written to.

What is laid into a hooks folder names no place of this machine, because some of those folders are
committed. It calls `<common git dir>/memgit/hook`, and does nothing where that is missing.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memgit.domain.connecting import hookfiles
from memgit.domain.sharing import merge_driver
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports import precommit
from memgit.ports.git import Repository
from memgit.ports.shipped import PACKAGE

OURS = ("pre-commit", "post-commit", "post-merge", "post-checkout", "post-rewrite")
"""The hooks that memgit has a part in: the gate, and the four after which the commit is another."""

_PASSED_ON = (
    "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-merge-commit",
    "prepare-commit-msg", "commit-msg", "pre-rebase", "pre-push", "pre-auto-gc",
    "sendemail-validate",
)  # fmt: skip
"""Hooks that may come up at any time in the folder that ours stands in for, and must run then."""

_AS_FOUND = (
    "pre-receive", "update", "proc-receive", "post-receive", "post-update", "push-to-checkout",
    "reference-transaction", "post-index-change",
)  # fmt: skip
"""Hooks that change what git does, or cost, by being there at all: passed on where they exist."""

BESIDE, HUSKY, INSTEAD = "beside", "husky", "instead"


@dataclass(frozen=True)
class Place:
    """Where the hooks are laid. `way`: beside those in the hooks folder, in husky's files, or in a
    folder that stands in for one that is not this repository's own."""

    folder: Path
    way: str


def place(repository: Repository) -> Place:
    """Where hooks can be laid so that git runs them here, and nowhere else."""
    configured = _configured(repository)
    instead = Place(_stand_in(repository), INSTEAD)
    if not configured:
        folder = repository.common_dir / "hooks"
        return Place(folder, BESIDE) if _is_inside(repository, folder) else instead
    folder = repository.root / configured[-1][1]
    if _is_ours(folder) or not _is_inside(repository, folder):
        return instead
    if folder.name == "_":  # husky's generated folder; the person's own files lie above it
        return Place(folder.parent, HUSKY)
    return Place(folder, BESIDE) if folder.is_dir() else instead


def install(store: Store) -> list[str]:
    """Lay down the hooks. Returns what was done, one line each; nothing where all was there."""
    with _changing(store):
        repository = store.repository
        renewed = _lay_machine_part(repository)
        merge_driver.install(repository)
        where = place(repository)
        if where.way == INSTEAD:
            lines = _stand_in_for(store, where.folder)
        elif where.way == HUSKY:
            outcomes = {name: hookfiles.add_lines(where.folder / name) for name in OURS}
            lines = _told(store, where.folder, outcomes)
        else:
            outcomes = {name: hookfiles.lay(where.folder, name) for name in OURS}
            lines = _told(store, where.folder, outcomes)
        if lines and where.way != INSTEAD:
            lines += _in_work_tree(store, where.folder)
        return lines or ([f"the hooks run {sys.executable} from now on"] if renewed else [])


def _in_work_tree(store: Store, folder: Path) -> list[str]:
    """What to know of hooks that are files of the repository itself, as husky's: which they are,
    and which of them git tracks, so that the next commit may carry them to everybody."""
    root, git_dir = store.root.resolve(), store.repository.common_dir
    real = folder.resolve()
    if real.is_relative_to(git_dir) or not real.is_relative_to(root):
        return []
    files = [real / f"{name}{end}" for name in OURS for end in ("", hookfiles.BEFORE)]
    paths = [file.relative_to(root).as_posix() for file in files if os.path.lexists(file)]
    known = store.repository.run("ls-files", "-z", "--", *paths).split("\0") if paths else []
    told = [f"{path} ({'tracked' if path in known else 'not tracked'})" for path in paths]
    return [
        f"these hooks are files of the repository: {', '.join(told)}; commit all of them or none: "
        "where memgit is not, they only run what was there before"
    ]


def remove(store: Store) -> list[str]:
    """Take the hooks away and put back what was there before; the memories stay.

    Returns what was restored, one line each; nothing where there was nothing of ours.
    """
    with _changing(store):
        repository = store.repository
        lines = _unset(repository)
        if merge_driver.remove(repository):
            lines.append("git merges memories by itself again")
        folders = [repository.common_dir / "hooks", _stand_in(repository)]
        folders += [repository.root / value for _, value in _configured(repository)]
        for folder in dict.fromkeys(folders):
            if _is_inside(repository, folder):
                lines += _clear(store, folder)
        shutil.rmtree(repository.common_dir / "memgit" / "bin", ignore_errors=True)
        (repository.common_dir / "memgit" / "hook").unlink(missing_ok=True)
        return lines + (_still_asked(store) if lines else [])


def _configured(repository: Repository) -> list[tuple[str, str]]:
    """Every (scope, value) of core.hooksPath, the one that counts last; not our own `-c`."""
    listed = repository.run_status(
        "config", "--show-scope", "--type=path", "-z", "--get-all", "core.hooksPath"
    )[1].split("\0")
    pairs = zip(listed[::2], listed[1::2], strict=False)
    # An empty path is how some switch hooks off: git then looks for them in `/`.
    return [(scope, value or "/") for scope, value in pairs if scope != "command"]


def _is_inside(repository: Repository, folder: Path) -> bool:
    """Whether a folder is this repository's own: in its work tree or in its git dir."""
    real = folder.resolve()
    return any(map(real.is_relative_to, (repository.root.resolve(), repository.common_dir)))


def _stand_in(repository: Repository) -> Path:
    """Not among the derived data: should that be removed, the person's hooks must run still."""
    return repository.common_dir / hookfiles.STAND_IN


def _is_ours(folder: str | Path) -> bool:
    """Whether this is a stand-in of ours, be it where the repository was before it was moved."""
    return Path(folder).name == hookfiles.STAND_IN


def _lay_machine_part(repository: Repository) -> bool:
    """Write the two files that know this machine's interpreter; whether they were others before."""
    folder = repository.common_dir / "memgit"
    known = {"@PYTHON@": shlex.quote(sys.executable), "@PACKAGE@": shlex.quote(str(PACKAGE.parent))}
    files = {folder / "bin" / "memgit": "memgit", folder / "hook": "git-part"}
    return any(
        [hookfiles.write(path, hookfiles.template(name, known)) for path, name in files.items()]
    )


def _stand_in_for(store: Store, folder: Path) -> list[str]:
    """A folder of hooks that run those of the folder outside, and the setting that names it."""
    repository = store.repository
    if not any(value == str(folder) for _, value in _configured(repository)):
        _unset(repository)  # names the place where the repository was before
    configured = _configured(repository)
    others = [(scope, value) for scope, value in configured if not _is_ours(value)]
    scope, value = others[-1] if others else ("local", "")
    outside = repository.root / value if value else repository.common_dir / "hooks"
    names = [*OURS, *_PASSED_ON, *(name for name in _AS_FOUND if (outside / name).exists())]
    outcomes = {name: hookfiles.lay(folder, name, hookfiles.REPLACED) for name in names}
    lines = _told(store, folder, {name: outcomes[name] for name in OURS})
    if others == configured:
        scope = "worktree" if scope == "worktree" else "local"
        repository.run("config", f"--{scope}", "--add", "core.hooksPath", str(folder))
        lines.append(f"core.hooksPath, for this repository only; hooks in {outside} run first")
    return lines


def _unset(repository: Repository) -> list[str]:
    """Take our value of core.hooksPath away; the others count again."""
    ours = [(scope, value) for scope, value in _configured(repository) if _is_ours(value)]
    for scope, value in dict.fromkeys(ours):
        words = (f"--{scope}", "--fixed-value", "--unset-all", "core.hooksPath", value)
        repository.run("config", *words)
    return ["core.hooksPath: put back as it was"] if ours else []


def _clear(store: Store, folder: Path) -> list[str]:
    """Take ours out of a hooks folder; the folder goes too when nothing else is in it."""
    if folder.name == "_":
        outcomes = {name: hookfiles.take_lines(folder.parent / name) for name in OURS}
        return _told(store, folder.parent, outcomes)
    names = (*OURS, *_PASSED_ON, *_AS_FOUND)
    outcomes = {name: hookfiles.take_away(folder, name) for name in names}
    lines = _told(store, folder, outcomes)
    left = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    if lines and not left:
        folder.rmdir()
    elif _is_ours(folder) and left:
        lines.append(f"{folder}: without effect now, but not memgit's: {', '.join(left)}")
    return lines


def _still_asked(store: Store) -> list[str]:
    """A line for the person whose own pre-commit goes on to run the gate, which is committed."""
    hook = place(store.repository).folder / "pre-commit"
    config = hookfiles.read(store.root / precommit.FILE) or ""
    if not (hookfiles.is_by_pre_commit(hook) and precommit.has_hook(config)):
        return []
    return [f"{precommit.FILE}: {precommit.HOOK} stays; take it out before memgit itself goes"]


def _told(store: Store, folder: Path, outcomes: dict[str, str]) -> list[str]:
    """The outcomes as lines: hooks that fared alike in one, and none for those left alone."""
    shown = folder.relative_to(store.root) if folder.is_relative_to(store.root) else folder
    alike: dict[str, list[str]] = {}
    for name, outcome in outcomes.items():
        alike.setdefault(outcome, []).append(name)
    alike.pop("", None)
    return [f"{shown}: {', '.join(names)} {outcome}" for outcome, names in alike.items()]


@contextmanager
def _changing(store: Store) -> Iterator[None]:
    """Hold the store while its hooks change; what the disk refuses is told in one line."""
    try:
        with store.alone():
            yield
    except OSError as fault:
        raise StoreError(
            f"{fault.filename or store.root}: {fault.strerror}",
            "no hook was lost; make room or rights, then run it again",
        ) from None
