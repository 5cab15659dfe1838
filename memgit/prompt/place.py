"""Where a store's derived files lie, found by reading a few small files instead of asking git.

The one rule: the same answer as `Store.derived`, for main and linked work trees alike.
"""

MARK = "memgit.toml"
"""A folder that holds this file is a store."""


class NoStore(Exception):
    """No store was found, or what was named is none."""


def derived(root: str) -> str:
    """The folder in the common git dir that holds this work tree's index and table."""
    dot_git = f"{root}/.git"
    pointer = _text(dot_git)
    if pointer is None:
        return f"{dot_git}/memgit/main"
    git_dir = _join(root, pointer.removeprefix("gitdir:").strip())
    common = _text(f"{git_dir}/commondir")
    if common is None:
        return f"{git_dir}/memgit/main"
    name = git_dir.rstrip("/").rpartition("/")[2]
    return f"{_join(git_dir, common.strip())}/memgit/worktrees/{name}"


def head_commit(root: str) -> "str | None":
    """The commit that is checked out; None where plain files do not tell."""
    git_dir = f"{root}/.git"
    common = derived(root).rpartition("/memgit/")[0]
    pointer = _text(git_dir)
    if pointer is not None:
        git_dir = _join(root, pointer.removeprefix("gitdir:").strip())
    head = (_text(f"{git_dir}/HEAD") or "").strip()
    if not head.startswith("ref:"):
        return head or None
    ref = head[4:].strip()
    loose = _text(f"{git_dir}/{ref}") or _text(f"{common}/{ref}")
    if loose:
        return loose.strip()
    for line in (_text(f"{common}/packed-refs") or "").splitlines():
        commit, _, name = line.partition(" ")
        if name == ref:
            return commit
    return None


def find(named: str, environment: "dict[str, str]") -> str:
    """The store that is named, or in MEMGIT_REPO, or recorded by `install`.

    Never the folder that one stands in: a cloned project could bring a store of its own.
    """
    if named := named or environment.get("MEMGIT_REPO", ""):
        return named.rstrip("/")
    base = environment.get("XDG_CONFIG_HOME") or environment.get("HOME", "") + "/.config"
    recorded = (_text(f"{base}/memgit/store") or "").strip()
    if not recorded:
        raise NoStore("no store is recorded")
    return recorded


def _join(folder: str, path: str) -> str:
    return path if path.startswith("/") else f"{folder}/{path}"


def _text(path: str) -> "str | None":
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError:
        return None
