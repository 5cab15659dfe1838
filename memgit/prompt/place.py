"""Where a store's derived files lie, found by reading a few small files instead of asking git.

The one rule: the same answer as `Store.derived`, for main and linked work trees alike. Whatever
stands where a file should, nothing waits for it: a pipe or a device is as good as missing.
"""

from posix import O_CLOEXEC, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, close, fstat, read
from posix import open as open_file

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from io import FileIO

LARGEST = 64 * 1024 * 1024
"""Bytes that are read of any file; what goes on after that is cut off."""

_KIND, _PLAIN = 0o170000, 0o100000
"""What `stat.S_ISREG` looks at; importing `stat` would cost more than all of this."""

MARK = "memgit.toml"
"""A folder that holds this file is a store."""

FORMAT = 2
"""The newest store format that this program knows; `domain/format` tells what each of them is."""


class NoStore(Exception):
    """No store was found, or what was named is none."""


class NewerFormat(NoStore):
    """The store is of a format that this program does not know: what it would say may be wrong."""


def format_of(root: str) -> int:
    """The format that the `memgit.toml` of a store names."""
    return format_in(_text(f"{root}/{MARK}") or "")


def format_in(text: str) -> int:
    """The format that the text of a `memgit.toml` names, 1 where it names none."""
    for line in text.splitlines():
        key, _, value = line.partition("=")
        number = value.partition("#")[0].strip()
        if key.strip() == "format" and number.isdecimal():
            return int(number)
        if line.lstrip().startswith("["):
            break
    return 1


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

    Never the folder that one stands in: a cloned project could bring a store of its own. Raises
    NewerFormat for one that a newer memgit wrote.
    """
    root = (named or environment.get("MEMGIT_REPO", "")).rstrip("/") or _recorded(environment)
    if (written := format_of(root)) > FORMAT:
        raise NewerFormat(f"{root}: format {written}, this memgit knows {FORMAT}")
    return root


def _recorded(environment: "dict[str, str]") -> str:
    base = environment.get("XDG_CONFIG_HOME") or environment.get("HOME", "") + "/.config"
    recorded = (_text(f"{base}/memgit/store") or "").strip()
    if not recorded:
        raise NoStore("no store is recorded")
    return recorded


def _join(folder: str, path: str) -> str:
    return path if path.startswith("/") else f"{folder}/{path}"


def _text(path: str) -> "str | None":
    try:
        return content(path).decode("utf-8", "surrogateescape")
    except OSError:
        return None


def content(path: str, flags: int = 0, most: int = LARGEST) -> bytes:
    """What a plain file holds, at most so many bytes of it. OSError where none can be read."""
    number = descriptor(path, O_RDONLY | flags)
    try:
        return read(number, min(fstat(number).st_size, most))
    finally:
        close(number)


def appending(path: str) -> "FileIO":
    """A plain file of ours, made where it is missing, open for writing at its end."""
    return open(path, "ab", 0, opener=_unlinked)


def _unlinked(path: str, flags: int) -> int:
    return descriptor(path, flags | O_NOFOLLOW)


def descriptor(path: str, flags: int) -> int:
    """A plain file, open. OSError, and that at once, for whatever else there is."""
    number = open_file(path, flags | O_NONBLOCK | O_CLOEXEC, 0o666)
    if fstat(number).st_mode & _KIND != _PLAIN:
        close(number)
        raise OSError(f"{path}: not a plain file")
    return number
