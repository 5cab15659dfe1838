"""Git hooks: the index follows whatever git does, and what a person had there runs on."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from memgit.domain.connecting.githooks import OURS, install, remove
from memgit.domain.store import Store

Git = Callable[..., subprocess.CompletedProcess[str]]

SEEN = """#!/bin/sh
echo "$(basename "$0") $*" >>"$SEEN"
cat >>"$SEEN"
exit ${STATUS:-0}
"""
"""A person's hook: writes down its name, its arguments and its input."""


@pytest.fixture
def hooked(store: Path, git: Git) -> Path:
    """A store with memgit's hooks, a branch `side`, and no gate."""
    _commit(store, git, "first")
    git(store, "branch", "side")
    install(Store.at(store))
    return store


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that `SEEN` hooks write to."""
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))
    return tmp_path / "seen"


def _commit(
    store: Path, git: Git, name: str, text: str = "words\n", env: Mapping[str, str] | None = None
) -> None:
    (store / f"{name}.md").write_text(text)
    git(store, "add", f"{name}.md")
    git(store, "commit", "--quiet", f"--message={name}", env=env)


def _hook(path: Path, text: str = SEEN) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def _indexed(store: Path) -> str | None:
    """The commit that the recall table is of."""
    head = Store.at(store).derived / "table" / "head.json"
    return json.loads(head.read_text())["commit"] if head.exists() else None


def _at(store: Path, git: Git) -> str:
    return git(store, "rev-parse", "HEAD").stdout.strip()


def _diverge(store: Path, git: Git, *, conflict: bool = False) -> None:
    """Two commits on main, two others on `side`, which is checked out."""
    _commit(store, git, "main one")
    _commit(store, git, "main two")
    git(store, "switch", "--quiet", "side")
    _commit(store, git, "main one" if conflict else "side one", "other words\n")
    _commit(store, git, "side two")


def _snapshot(*folders: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below these folders: its mode and its bytes; a link's target instead."""
    found = {}
    for path in (p for folder in folders for p in (folder, *folder.rglob("*"))):
        if path.is_symlink():
            found[str(path)] = (0, os.fsencode(os.readlink(path)))
        elif path.is_file():
            found[str(path)] = (path.stat().st_mode, path.read_bytes())
    return found


# What git does, and the index after it.


def commit(store: Path, git: Git) -> None:
    _commit(store, git, "another")


def amend(store: Path, git: Git) -> None:
    git(store, "commit", "--quiet", "--amend", "--message=other words")


def revert(store: Path, git: Git) -> None:
    git(store, "revert", "--no-edit", "HEAD")


def merge(store: Path, git: Git) -> None:
    _diverge(store, git)
    git(store, "merge", "--quiet", "--no-edit", "main")


def merge_fast_forward(store: Path, git: Git) -> None:
    _commit(store, git, "ahead")
    git(store, "switch", "--quiet", "side")
    git(store, "merge", "--quiet", "main")


def checkout(store: Path, git: Git) -> None:
    _commit(store, git, "ahead")
    git(store, "checkout", "--quiet", "side")


def detach(store: Path, git: Git) -> None:
    git(store, "checkout", "--quiet", "HEAD~1")


def cherry_pick(store: Path, git: Git) -> None:
    _diverge(store, git)
    git(store, "cherry-pick", "side..main")


def rebase(store: Path, git: Git) -> None:
    _diverge(store, git)
    git(store, "rebase", "--quiet", "main")


def rebase_apply(store: Path, git: Git) -> None:
    _diverge(store, git)
    git(store, "rebase", "--quiet", "--apply", "main")


def rebase_fast_forward(store: Path, git: Git) -> None:
    _commit(store, git, "ahead")
    git(store, "switch", "--quiet", "side")
    git(store, "rebase", "--quiet", "main")


def rebase_drops_all(store: Path, git: Git) -> None:
    _commit(store, git, "one")
    _commit(store, git, "two")
    git(store, "switch", "--quiet", "side")
    git(store, "cherry-pick", "main~1")
    git(store, "rebase", "--quiet", "main")


def rebase_with_exec(store: Path, git: Git) -> None:
    _diverge(store, git)
    git(store, "rebase", "--quiet", "--exec", "true", "main")


def rebase_aborted(store: Path, git: Git) -> None:
    _diverge(store, git, conflict=True)
    with pytest.raises(subprocess.CalledProcessError):
        git(store, "rebase", "main")
    git(store, "rebase", "--abort")


def rebase_continued(store: Path, git: Git) -> None:
    _diverge(store, git, conflict=True)
    with pytest.raises(subprocess.CalledProcessError):
        git(store, "rebase", "main")
    git(store, "add", "main one.md")
    git(store, "rebase", "--continue", env={**os.environ, "GIT_EDITOR": "true"})


def rebase_skipped(store: Path, git: Git) -> None:
    _commit(store, git, "same")
    git(store, "switch", "--quiet", "side")
    _commit(store, git, "same", "other words\n")
    with pytest.raises(subprocess.CalledProcessError):
        git(store, "rebase", "main")
    git(store, "rebase", "--skip")


def rebase_autosquash(store: Path, git: Git) -> None:
    _diverge(store, git)
    git(store, "commit", "--quiet", "--allow-empty", "--fixup=HEAD~1")
    squash = {**os.environ, "GIT_SEQUENCE_EDITOR": "true"}
    git(store, "rebase", "--quiet", "--interactive", "--autosquash", "main", env=squash)


def pull_rebase(store: Path, git: Git) -> None:
    git(store.parent, "clone", "--quiet", "store", "clone")
    _commit(store.parent / "clone", git, "theirs")
    _commit(store, git, "ours")
    git(store, "pull", "--quiet", "--rebase", "../clone", "main")


WAYS = (
    commit, amend, revert, merge, merge_fast_forward, checkout, detach, cherry_pick, rebase,
    rebase_apply, rebase_fast_forward, rebase_drops_all, rebase_with_exec, rebase_aborted,
    rebase_continued, rebase_skipped, rebase_autosquash, pull_rebase,
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_index_is_at_head_after(
    way: Callable[[Path, Git], None], hooked: Path, git: Git
) -> None:
    way(hooked, git)

    assert _indexed(hooked) == _at(hooked, git)


def test_a_rebase_is_indexed_at_its_end_only(hooked: Path, git: Git, seen: Path) -> None:
    git(hooked, "switch", "--quiet", "side")
    for number in range(4):
        _commit(hooked, git, f"step {number}")
    git(hooked, "switch", "--quiet", "main")
    _commit(hooked, git, "main one")
    git(hooked, "switch", "--quiet", "side")
    _hook(hooked / ".git" / "memgit" / "bin" / "memgit")

    git(hooked, "rebase", "--quiet", "main")

    assert seen.read_text().splitlines() == [
        f"memgit --store . index --quiet --after={hook}" for hook in ("post-commit", "post-rewrite")
    ]


def test_checking_out_a_file_runs_nothing(hooked: Path, git: Git, seen: Path) -> None:
    _hook(hooked / ".git" / "memgit" / "bin" / "memgit")
    (hooked / "first.md").write_text("changed\n")

    git(hooked, "checkout", "--", "first.md")

    assert not seen.exists()


# Worktrees, submodules, surroundings.


def test_a_linked_worktree_has_an_index_of_its_own(hooked: Path, git: Git) -> None:
    git(hooked, "worktree", "add", "--quiet", "../linked", "side")
    linked = hooked.parent / "linked"
    assert _indexed(linked) == _at(linked, git)
    before = _indexed(hooked)

    _commit(linked, git, "in the linked one")

    assert _indexed(linked) == _at(linked, git)
    assert _indexed(hooked) == before


def test_from_a_linked_worktree_the_common_hooks_are_laid(store: Path, git: Git) -> None:
    git(store, "worktree", "add", "--quiet", "../linked")

    install(Store.at(store.parent / "linked"))
    _commit(store, git, "in the main one")

    assert _indexed(store) == _at(store, git)


def test_a_submodule_can_be_a_store(store: Path, git: Git) -> None:
    outer = store.parent / "outer"
    git(store.parent, "init", "--quiet", "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(store), "sub")

    install(Store.at(outer / "sub"))
    _commit(outer / "sub", git, "inside")

    assert _indexed(outer / "sub") == _at(outer / "sub", git)
    assert not (outer / ".git" / "hooks" / "post-commit").exists()


def test_a_store_named_by_the_environment_is_not_the_one_that_is_indexed(
    hooked: Path, git: Git, sample: Path
) -> None:
    _commit(hooked, git, "mine", env={**os.environ, "MEMGIT_REPO": str(sample)})

    assert _indexed(hooked) == _at(hooked, git)
    assert _indexed(sample) is None


def test_hooks_need_little_of_their_surroundings(hooked: Path, git: Git, tmp_path: Path) -> None:
    (hooked / "yaml.py").write_text("raise SystemExit('the store is on the import path')\n")
    poor = {
        "PATH": "/usr/bin:/bin",
        "PYTHONHOME": "/nowhere",
        "PYTHONPATH": str(hooked),
        "HOME": str(tmp_path / "no home"),
        "GIT_CONFIG_GLOBAL": os.environ["GIT_CONFIG_GLOBAL"],
    }

    done = git(hooked, "commit", "--allow-empty", "--message=poor", env=poor)

    assert _indexed(hooked) == _at(hooked, git)
    assert "memgit" not in done.stderr


def test_a_commit_from_inside_another_repositorys_hook(
    hooked: Path, git: Git, tmp_path: Path
) -> None:
    git(tmp_path, "init", "--quiet", "project")
    project = tmp_path / "project"
    script = f"unset GIT_DIR GIT_INDEX_FILE\ncd '{hooked}' && git commit -q --allow-empty -m inner"
    _hook(project / ".git" / "hooks" / "post-commit", f"#!/bin/sh\n{script}\n")

    git(project, "commit", "--quiet", "--allow-empty", "--message=outer")

    assert _indexed(hooked) == _at(hooked, git)
    assert git(hooked, "log", "-1", "--format=%s").stdout == "inner\n"


@pytest.mark.parametrize("gone", ["package", "python", "part", "store"])
def test_without_memgit_the_hooks_are_silent(gone: str, hooked: Path, git: Git) -> None:
    part = hooked / ".git" / "memgit" / "hook"
    if gone == "part":
        shutil.rmtree(part.parent)
    elif gone == "store":
        (hooked / "memgit.toml").unlink()
    else:
        lines = part.read_text().splitlines(keepends=True)
        part.write_text("".join(
            f"{gone}=/nowhere\n" if line.startswith(f"{gone}=") else line for line in lines
        ))  # fmt: skip

    done = git(hooked, "commit", "--quiet", "--allow-empty", "--message=on my own")

    assert done.stderr == ""


def test_a_fault_is_told_and_does_not_fail_the_command(hooked: Path, git: Git) -> None:
    (hooked / "memgit.toml").write_text("format = 99\n")

    done = git(hooked, "commit", "--quiet", "--all", "--message=from the future")

    assert "format is 99" in done.stderr


# What a person had there.


def _folders(store: Path, *others: Path) -> dict[str, tuple[int, bytes]]:
    """What uninstalling must bring back: hooks, settings, and the work tree."""
    git_dir = store / ".git"
    found = _snapshot(git_dir / "hooks", *others)
    found |= _snapshot(*(path for path in store.iterdir() if path.name != ".git"))
    found[".git"] = (0, " ".join(sorted(set(os.listdir(git_dir)) - {"memgit"})).encode())
    return found | {"config": (0, (git_dir / "config").read_bytes())}


def _round_trip(store: Path, *others: Path) -> dict[str, tuple[int, bytes]]:
    """Install and remove; asserts that all is as it was. Returns what was there between."""
    before = _folders(store, *others)
    assert install(Store.at(store))
    between = _folders(store, *others)
    assert install(Store.at(store)) == []
    assert _folders(store, *others) == between
    assert remove(Store.at(store))
    assert _folders(store, *others) == before
    assert remove(Store.at(store)) == []
    install(Store.at(store))
    assert _folders(store, *others) == between
    return between


def test_plain_hooks_come_and_go(store: Path) -> None:
    _round_trip(store)

    assert all(os.access(store / ".git" / "hooks" / name, os.X_OK) for name in OURS)


def test_no_hooks_folder_at_all(store: Path) -> None:
    shutil.rmtree(store / ".git" / "hooks")

    _round_trip(store)


def test_existing_hooks_run_first_with_their_arguments_and_input(
    store: Path, git: Git, seen: Path
) -> None:
    hooks = store / ".git" / "hooks"
    for name in OURS:
        _hook(hooks / name)
    _hook(hooks / "commit-msg")
    old = _at(store, git)
    _round_trip(store)

    git(store, "commit", "--quiet", "--amend", "--message=again")

    assert [line.replace(old, "OLD").replace(_at(store, git), "NEW")
            for line in seen.read_text().splitlines()] == [
        "pre-commit.before-memgit ",
        "commit-msg .git/COMMIT_EDITMSG",
        "post-commit.before-memgit ",
        "post-rewrite.before-memgit amend", "OLD NEW",
    ]  # fmt: skip
    assert _indexed(store) == _at(store, git)


def test_a_blocking_hook_blocks_and_any_other_only_tells(store: Path, git: Git, seen: Path) -> None:
    _hook(store / ".git" / "hooks" / "post-checkout")
    _hook(store / ".git" / "hooks" / "pre-commit")
    install(Store.at(store))
    failing = {**os.environ, "STATUS": "3"}

    with pytest.raises(subprocess.CalledProcessError):
        git(store, "commit", "--allow-empty", "--message=refused", env=failing)
    assert git(store, "log", "-1", "--format=%s").stdout == "init: an empty store\n"

    with pytest.raises(subprocess.CalledProcessError):
        git(store, "checkout", "--quiet", "-b", "other", env=failing)
    assert _indexed(store) == _at(store, git)


def test_a_hook_that_git_does_not_run_is_not_run_by_memgit(
    store: Path, git: Git, seen: Path
) -> None:
    _hook(store / ".git" / "hooks" / "post-commit").chmod(0o644)
    _round_trip(store)

    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert not seen.exists()


def test_hooks_that_are_links_stay_links(store: Path, git: Git, seen: Path) -> None:
    _hook(store / "scripts" / "any-hook")
    for name in ("post-commit", "pre-commit"):
        (store / ".git" / "hooks" / name).symlink_to("../../scripts/any-hook")
    (store / ".git" / "hooks" / "post-merge").symlink_to("nowhere")
    _round_trip(store)

    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert len(seen.read_text().splitlines()) == 2


def test_a_hook_of_bytes_that_are_no_text(store: Path) -> None:
    (store / ".git" / "hooks" / "post-commit").write_bytes(b"\x7fELF\xff\xfe\0")

    _round_trip(store)


def test_a_hook_of_ours_that_git_cannot_run_is_mended(store: Path) -> None:
    install(Store.at(store))
    hook = store / ".git" / "hooks" / "post-commit"
    hook.chmod(0o644)

    assert install(Store.at(store)) == [".git/hooks: post-commit brought up to date"]
    assert os.access(hook, os.X_OK)


def test_our_hook_that_somebody_edited_is_not_touched(store: Path) -> None:
    install(Store.at(store))
    hook = store / ".git" / "hooks" / "post-commit"
    hook.write_text(hook.read_text().replace("exit $status", "make backup\nexit $status"))
    edited = hook.read_bytes()

    assert "edited" in "".join(install(Store.at(store)))
    assert "edited" in "".join(remove(Store.at(store)))
    assert hook.read_bytes() == edited


def test_an_older_hook_of_ours_is_brought_up_to_date(
    store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from memgit.domain.connecting import hookfiles

    shipped = hookfiles.shipped("hooks")
    shutil.copytree(shipped, tmp_path / "older")
    text = (shipped / "git-hook").read_text()
    (tmp_path / "older" / "git-hook").write_text(text.replace("status=0", "status=0 # older"))
    monkeypatch.setattr(hookfiles, "shipped", lambda name: tmp_path / "older")
    install(Store.at(store))
    monkeypatch.undo()

    assert install(Store.at(store)) == [f".git/hooks: {', '.join(OURS)} brought up to date"]
    assert "older" not in (store / ".git" / "hooks" / "post-commit").read_text()


def test_two_hooks_of_the_person_are_never_merged_by_guess(store: Path) -> None:
    install(Store.at(store))
    hooks = store / ".git" / "hooks"
    _hook(hooks / "post-commit", "#!/bin/sh\n# another tool took the place\n")
    _hook(hooks / "post-commit.before-memgit", "#!/bin/sh\n# mine\n")
    before = _snapshot(hooks)

    assert install(Store.at(store)) == [
        ".git/hooks: post-commit not laid: post-commit.before-memgit is there too; "
        "merge the two by hand"
    ]
    assert _snapshot(hooks) == before


# core.hooksPath.


def test_a_hooks_folder_in_the_work_tree(store: Path, git: Git, seen: Path) -> None:
    _hook(store / "tools" / "my hooks" / "post-commit")
    git(store, "config", "core.hooksPath", "tools/my hooks")
    between = _round_trip(store)

    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert seen.read_text() == "post-commit.before-memgit \n"
    assert _indexed(store) == _at(store, git)
    laid = (store / "tools" / "my hooks" / "post-commit").read_text()
    assert str(store) not in laid
    assert sys.executable not in laid
    assert not any("/.git/hooks/p" in path and "sample" not in path for path in between)


def test_hooks_that_are_files_of_the_repository_are_told(store: Path, git: Git) -> None:
    _hook(store / ".husky" / "post-commit")
    git(store, "config", "core.hooksPath", ".husky")
    git(store, "add", ".husky/post-commit")
    git(store, "commit", "--quiet", "--message=x", "--no-verify")

    (said,) = [line for line in install(Store.at(store)) if "files of the repository" in line]

    assert ".husky/post-commit (tracked)" in said
    assert ".husky/post-commit.before-memgit (not tracked)" in said
    assert ".husky/pre-commit (not tracked)" in said
    assert install(Store.at(store)) == []


def test_hooks_in_the_git_dir_are_not_told_as_files(store: Path) -> None:
    assert not any("files of the repository" in line for line in install(Store.at(store)))


HUSKY = """#!/usr/bin/env sh
n=$(basename "$0")
s=$(dirname "$(dirname "$0")")/$n
[ ! -f "$s" ] && exit 0
export PATH="node_modules/.bin:$PATH"
sh -e "$s" "$@"
c=$?
[ $c != 0 ] && echo "husky - $n script failed (code $c)"
exit $c
"""


@pytest.mark.parametrize("ending", ["\n", ""])
def test_husky(ending: str, store: Path, git: Git, seen: Path) -> None:
    generated = store / ".husky" / "_"
    (store / ".gitignore").write_text("_/\n")
    for name in OURS:
        _hook(generated / name, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"')
    _hook(generated / "h", HUSKY)
    mine = store / ".husky" / "post-commit"
    mine.write_text(f'echo mine >>"$SEEN"{ending}')
    git(store, "config", "core.hooksPath", ".husky/_")
    _round_trip(store)

    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert seen.read_text() == "mine\n"
    assert mine.read_text().startswith('echo mine >>"$SEEN"\n# memgit: begin')
    assert _indexed(store) == _at(store, git)


@pytest.mark.parametrize("scope", ["--global", "--local", "--worktree"])
def test_a_hooks_folder_outside_is_never_written_to(
    scope: str, store: Path, git: Git, tmp_path: Path, seen: Path
) -> None:
    outside = tmp_path / "all my hooks"
    for name in ("pre-commit", "post-rewrite", "commit-msg", "reference-transaction"):
        _hook(outside / name)
    if scope == "--worktree":
        git(store, "config", "extensions.worktreeConfig", "true")
    git(store, "config", scope, "core.hooksPath", str(outside))
    old = _at(store, git)
    _round_trip(store, outside)
    # What comes up there later runs too.
    _hook(outside / "pre-push")
    _hook(outside / "post-commit")

    git(store, "commit", "--quiet", "--amend", "--message=again")
    git(tmp_path, "init", "--quiet", "--bare", "there")
    git(store, "push", "--quiet", "../there", "HEAD:refs/heads/main")

    told = [line.split()[0] for line in seen.read_text().splitlines()]
    assert [name for name in told if name.startswith(("p", "commit"))] == [
        "pre-commit", "commit-msg", "post-commit", "post-rewrite", "pre-push",
    ]  # fmt: skip
    assert "reference-transaction" in told
    assert f"{old} {_at(store, git)}" in seen.read_text()
    assert _indexed(store) == _at(store, git)


def test_a_blocking_hook_outside_still_blocks(
    store: Path, git: Git, tmp_path: Path, seen: Path
) -> None:
    _hook(tmp_path / "outside" / "commit-msg")
    git(store, "config", "--global", "core.hooksPath", str(tmp_path / "outside"))
    install(Store.at(store))

    with pytest.raises(subprocess.CalledProcessError):
        git(store, "commit", "--allow-empty", "-m", "x", env={**os.environ, "STATUS": "1"})


@pytest.mark.parametrize("none", ["/dev/null", ""])
def test_hooks_switched_off_by_a_folder_that_is_none(none: str, store: Path, git: Git) -> None:
    git(store, "config", "--global", "core.hooksPath", none)
    _round_trip(store)

    _commit(store, git, "x")

    assert _indexed(store) == _at(store, git)


def test_a_hooks_folder_that_is_a_link_to_outside(
    store: Path, git: Git, tmp_path: Path, seen: Path
) -> None:
    shutil.rmtree(store / ".git" / "hooks")
    _hook(tmp_path / "shared" / "post-commit")
    (store / ".git" / "hooks").symlink_to(tmp_path / "shared")
    _round_trip(store, tmp_path / "shared")

    _commit(store, git, "x")

    assert seen.read_text() == "post-commit \n"
    assert _indexed(store) == _at(store, git)


def test_a_repository_that_was_moved(store: Path, git: Git, tmp_path: Path, seen: Path) -> None:
    _hook(tmp_path / "outside" / "post-commit")
    git(store, "config", "--global", "core.hooksPath", str(tmp_path / "outside"))
    before = (store / ".git" / "config").read_bytes()
    install(Store.at(store))
    moved = store.rename(tmp_path / "moved")

    install(Store.at(moved))
    _commit(moved, git, "x")

    assert seen.read_text() == "post-commit \n"
    assert _indexed(moved) == _at(moved, git)
    remove(Store.at(moved))
    assert (moved / ".git" / "config").read_bytes() == before


def test_the_stand_in_outlives_the_derived_data(
    store: Path, git: Git, tmp_path: Path, seen: Path
) -> None:
    _hook(tmp_path / "outside" / "post-commit")
    git(store, "config", "--global", "core.hooksPath", str(tmp_path / "outside"))
    install(Store.at(store))
    shutil.rmtree(store / ".git" / "memgit")

    _commit(store, git, "x")

    assert seen.read_text() == "post-commit \n"


def test_hooks_from_the_persons_template_folder(
    tmp_path: Path, git: Git, seen: Path, memgit: Git
) -> None:
    _hook(tmp_path / "template" / "hooks" / "post-commit")
    git(tmp_path, "config", "--global", "init.templateDir", str(tmp_path / "template"))

    assert memgit("init", "store").returncode == 0
    git(tmp_path / "store", "commit", "--quiet", "--allow-empty", "--no-verify", "--message=x")

    assert seen.read_text() == "post-commit.before-memgit \n"
    assert _indexed(tmp_path / "store") == _at(tmp_path / "store", git)


# pre-commit, the framework, beside ours.

CONFIG = """repos:
  - repo: local
    hooks:
      - id: theirs
        name: theirs
        entry: sh -c 'echo theirs >>"$SEEN"'
        language: system
        stages: [pre-commit, post-commit]
        always_run: true
        pass_filenames: false
"""


@pytest.fixture
def pre_commit(store: Path, git: Git) -> Callable[..., None]:
    """Run the real pre-commit in the store, which has a configuration."""
    (store / ".pre-commit-config.yaml").write_text(CONFIG)
    git(store, "add", ".pre-commit-config.yaml")
    git(store, "commit", "--quiet", "--message=a configuration")

    def run(*arguments: str) -> None:
        words = [sys.executable, "-m", "pre_commit", *arguments]
        subprocess.run(words, cwd=store, check=True, capture_output=True)

    return run


BOTH = ("--hook-type", "pre-commit", "--hook-type", "post-commit")


def _their_hooks(store: Path) -> None:
    """A person's own hooks of the kinds that pre-commit is to run as well."""
    for name in BOTH[1::2]:
        _hook(store / ".git" / "hooks" / name)


def test_our_hook_runs_the_configuration(
    store: Path, git: Git, seen: Path, pre_commit: Callable[..., None]
) -> None:
    _round_trip(store)

    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert seen.read_text() == "theirs\n"


def test_pre_commit_installed_after_us(
    store: Path, git: Git, seen: Path, pre_commit: Callable[..., None]
) -> None:
    _their_hooks(store)
    before = _folders(store)
    install(Store.at(store))
    ours = _folders(store)

    pre_commit("install", *BOTH)
    pre_commit("install", *BOTH)
    assert install(Store.at(store)) == []
    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert seen.read_text().splitlines() == [
        "pre-commit.before-memgit ", "theirs", "post-commit.before-memgit ", "theirs",
    ]  # fmt: skip
    assert _indexed(store) == _at(store, git)
    pre_commit("uninstall", *BOTH)
    assert _folders(store) == ours
    remove(Store.at(store))
    assert _folders(store) == before


def test_pre_commit_installed_before_us(
    store: Path, git: Git, seen: Path, pre_commit: Callable[..., None]
) -> None:
    _their_hooks(store)
    pre_commit("install", *BOTH)
    _round_trip(store)
    pre_commit("install", *BOTH)

    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert seen.read_text().splitlines() == [
        "pre-commit.legacy ", "theirs", "post-commit.before-memgit ", "theirs",
    ]  # fmt: skip
    assert _indexed(store) == _at(store, git)


def test_memgit_removed_from_under_pre_commit(
    store: Path, git: Git, seen: Path, pre_commit: Callable[..., None]
) -> None:
    _hook(store / ".git" / "hooks" / "post-commit")
    install(Store.at(store))
    pre_commit("install", *BOTH)

    remove(Store.at(store))
    git(store, "commit", "--quiet", "--allow-empty", "--message=x")

    assert seen.read_text().splitlines() == ["theirs", "post-commit.legacy ", "theirs"]


def test_a_gate_that_pre_commit_goes_on_to_run_is_told_of(
    store: Path, pre_commit: Callable[..., None]
) -> None:
    config = store / ".pre-commit-config.yaml"
    config.write_text(config.read_text().replace("id: theirs", "id: memgit-check"))
    pre_commit("install")
    install(Store.at(store))

    assert remove(Store.at(store))[-1].startswith(".pre-commit-config.yaml: memgit-check stays")
