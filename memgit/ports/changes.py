"""What git tells of single paths, as values.

The one rule: of whatever is no plain file there is no blob, so that nobody reads it as one.
"""

from dataclasses import dataclass

FILES, LINK = ("100644", "100755"), "120000"
"""What git calls the modes of files, and of symbolic links."""


@dataclass(frozen=True)
class Change:
    """One path that differs between two commits; `blob` is None when it was deleted.

    Of a symbolic link it is None as well: it is no file. `link` then holds where it leads. `old` is
    the blob of the file that was there before, None for a new one.
    """

    path: str
    blob: str | None
    link: str | None = None
    old: str | None = None


@dataclass(frozen=True)
class Unsaved:
    """One path whose work tree or index differs from HEAD; `blob` is HEAD's, None for a new one."""

    path: str
    blob: str | None
    unmerged: bool = False


def change(path: str, was: tuple[str, str] | None, stands: tuple[str, str] | None) -> Change:
    """The change of a path from one (mode, id) to another; None where there is nothing."""
    mode_before, old = was or ("", None)
    mode, blob = stands or ("", None)
    return Change(
        path,
        blob if mode in FILES else None,
        blob if mode == LINK else None,
        old if mode_before in FILES else None,
    )


def raw_changes(output: str) -> list[Change]:
    """The changes that a `--raw -z` listing of git names."""
    fields = output.split("\0")
    found = []
    for kind, path in zip(fields[::2], fields[1::2], strict=False):
        mode_before, mode, old, blob, _ = kind.lstrip(":").split()
        found.append(change(path, (mode_before, old), (mode, blob)))
    return found
