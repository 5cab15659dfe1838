"""What git asks memgit when both sides of a merge changed a file, and how git comes to ask.

The one rule: git's own settings in this repository name us, nothing that is committed does; so a
clone without memgit merges as git always does.
"""

import re
import shlex
import sys
from pathlib import Path

from memgit.domain.always_on.listing import sealed_lines
from memgit.domain.connecting import hookfiles
from memgit.domain.memory import NOT_MEMORIES, decode, is_memory_path
from memgit.domain.placed_files import BEGIN, KEPT, NEW
from memgit.domain.sharing.merging import Conflict, marked, merged
from memgit.ports.git import Repository
from memgit.ports.history import all_lines, marked_lines, merge_lines
from memgit.ports.shipped import PACKAGE

NAME = "memgit"
"""What git calls the driver, and the section `merge.memgit` of this repository's settings."""

SIZE = 7
"""Letters of a conflict's marker where git does not say."""

_DRIVER = (
    "m=$(git rev-parse --path-format=absolute --git-common-dir)/memgit/bin/memgit; s=2; "
    'if [ -x "$m" ]; then "$m" merge-driver %O %A %B %L %P; s=$?; fi; '
    "[ $s -le 1 ] || { git merge-file -q --marker-size=%L %A %O %B; s=$?; }; exit $s"
)
"""Where memgit is gone or fails, it is git's own merge of lines that answers."""

_KINDS = ("md", "mdc", "mdx", "markdown")
_BEGIN, _END = "# memgit: begin", "# memgit: end"
_BLOCK = re.compile(f"{_BEGIN}.*?{_END}(?:\n|\\Z)", re.DOTALL)
_BLOCKS = {
    "attributes": [f"*.{kind} merge={NAME}" for kind in _KINDS],
    "exclude": [f"{BEGIN}*{end}" for end in (NEW, KEPT)],
}
"""What we say in files of `.git/info`, which are not committed and count more than those that are.
Files that are there only while others are put in place are nobody's to commit."""


def merge(
    repository: Repository, path: str, ours: bytes, base: bytes, theirs: bytes, size: int = SIZE
) -> tuple[bytes, bool]:
    """(what both sides make of a file, whether no one has to decide anything in it).

    Of `MEMORY.md` as memgit wrote it ours stays, since it is made anew after the merge; what is
    written into it or `PROFILE.md` by hand stays from both.
    """
    if ours in (base, theirs):
        return theirs, True
    if theirs == base:
        return ours, True
    if path in NOT_MEMORIES:
        return _beside(repository, path, ours, base, theirs), True
    if not is_memory_path(path):
        lines = merge_lines(repository, ours, base, theirs)
        if lines is None:
            return marked_lines(repository, ours, base, theirs, size), False
        return lines, True
    try:
        return merged(repository, path, ours, base, theirs, keeps_both=True), True
    except Conflict:
        return marked(repository, path, ours, base, theirs, size), False


def _beside(repository: Repository, path: str, ours: bytes, base: bytes, theirs: bytes) -> bytes:
    if path == NOT_MEMORIES[0]:
        if _is_made(theirs):
            return ours
        if _is_made(ours):
            return theirs
    lines = all_lines(repository, ours, base, theirs).splitlines(keepends=True)
    seen: set[bytes] = set()
    return b"".join(line for line in lines if not line.strip() or _is_new(line.strip(), seen))


def _is_new(line: bytes, seen: set[bytes]) -> bool:
    known = line in seen
    seen.add(line)
    return not known


def _is_made(data: bytes) -> bool:
    return sealed_lines(decode(data)[0]) is not None


def install(repository: Repository) -> bool:
    """Let git ask us in this repository. Returns whether it did not do so before."""
    known = {"@PYTHON@": shlex.quote(sys.executable), "@PACKAGE@": shlex.quote(str(PACKAGE.parent))}
    hookfiles.write(_launcher(repository), hookfiles.template("memgit", known))
    changed = False
    for key, value in (("name", "memgit, by keys and lines"), ("driver", _DRIVER)):
        if repository.config(f"merge.{NAME}.{key}") != value:
            repository.run("config", "--local", f"merge.{NAME}.{key}", value)
            changed = True
    for name, lines in _BLOCKS.items():
        file = _info(repository) / name
        text = hookfiles.read(file) or ""
        block = "\n".join([_BEGIN, *lines, _END, ""])
        if block not in text:
            # At the top, so that whatever a person says of his own there counts more.
            hookfiles.write(file, block + _BLOCK.sub("", text), 0o644)
            changed = True
    return changed


def remove(repository: Repository) -> bool:
    """Let git merge by itself again. Returns whether it asked us before."""
    asked = repository.config(f"merge.{NAME}.driver") is not None
    if asked:
        repository.run("config", "--local", "--remove-section", f"merge.{NAME}")
    for name in _BLOCKS:
        file = _info(repository) / name
        text = hookfiles.read(file) or ""
        if _BLOCK.search(text):
            asked = True
            if rest := _BLOCK.sub("", text):
                hookfiles.write(file, rest, 0o644)
            else:
                file.unlink()
    return asked


def _launcher(repository: Repository) -> Path:
    return repository.common_dir / "memgit" / "bin" / "memgit"


def _info(repository: Repository) -> Path:
    return repository.common_dir / "info"
