"""The branch and the commit that HEAD names, read from git's own files where that is plain.

The one rule: it answers only what git would answer too. Packed, linked or damaged refs, commits in
packs and every other format are git's to tell: asking costs a process, and a command asks often.
"""

import re
import zlib
from pathlib import Path

_BRANCH = re.compile(rb"ref: (refs/heads/[^\s\\:?*\[~^]+)\n")
_ID = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64})\n")


def plain_head(git_dir: Path, common_dir: Path) -> str | None:
    """The id of the commit that is checked out; None where only git can tell."""
    try:
        said = (git_dir / "HEAD").read_bytes()
        if branch := _BRANCH.fullmatch(said):
            ref = branch[1].decode()
            said = b"" if ".." in ref else (common_dir / ref).read_bytes()
        if not (found := _ID.fullmatch(said)):
            return None
        commit = found[1].decode()
        packed = (common_dir / "objects" / commit[:2] / commit[2:]).read_bytes()
        return commit if zlib.decompressobj().decompress(packed, 7) == b"commit " else None
    except (OSError, UnicodeDecodeError, zlib.error):
        return None


def plain_branch(git_dir: Path) -> str | None:
    """The branch that is checked out; None where there is none, or only git can tell."""
    try:
        found = _BRANCH.fullmatch((git_dir / "HEAD").read_bytes())
        branch = found[1].decode().removeprefix("refs/heads/") if found else ""
    except (OSError, UnicodeDecodeError):
        return None
    return None if branch.startswith(".") else branch or None
