"""A project built again from what was recorded of it: the paths at its head, and every path change.

The one rule: the repository that comes out has exactly the recorded files at its head, or it is not
used. File contents are made up, each its own, so that git finds the recorded renames and no others.
"""

import gzip
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memgit.errors import StoreError, UsageError
from memgit.ports.checkout import Checkout
from memgit.ports.git import Repository

TREE, HISTORY = "tree.txt", "path-history.tsv.gz"
"""All paths, one a line; all changes, newest first: date, A / D / R<similarity>, path, new path."""

_WHO = "memgit eval <eval@memgit.invalid>"
_START = 1_700_000_000


@dataclass(frozen=True)
class Step:
    """One change of a path."""

    date: str
    kind: str
    path: str
    to: str = ""


def build(folder: Path, recorded: Path) -> int:
    """Make the repository in `folder`; the number of its commits. Raises UsageError, StoreError."""
    steps = _steps(recorded / HISTORY)
    wanted = set((recorded / TREE).read_text(encoding="utf-8").splitlines())
    Repository.create(folder)
    groups = list(_groups(steps))
    script = "".join(_script(groups)).encode("utf-8", "surrogateescape")
    for words, data in (
        (("symbolic-ref", "HEAD", "refs/heads/main"), b""),
        (("fast-import", "--quiet"), script),
        (("reset", "--quiet", "--hard"), b""),
    ):
        done = subprocess.run(
            ["git", "-C", str(folder), *words], input=data, capture_output=True, check=False
        )
        if done.returncode:
            raise StoreError(f"{folder}: {done.stderr.decode(errors='replace').strip()}")
    built = set(Checkout(folder).files()[0])
    if built != wanted:
        raise UsageError(
            f"{recorded}: {HISTORY} leads to {len(built)} paths, {len(built ^ wanted)} of them "
            f"other than those of {TREE}",
            "record both at the same commit",
        )
    return len(groups)


def _steps(file: Path) -> list[Step]:
    """The recorded changes, oldest first."""
    try:
        with gzip.open(file, "rt", encoding="utf-8", errors="surrogateescape") as rows:
            found = [Step(*row.rstrip("\n").split("\t")[:4]) for row in rows]
    except (OSError, TypeError, EOFError) as fault:
        raise UsageError(f"{file}: {fault}", "see what it should hold in `eval --help`") from None
    return found[::-1]


def _groups(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The changes of one commit each: of one day, and in git's order, which is that of paths."""
    group: list[Step] = []
    for step in steps:
        place = step.to or step.path
        last = group[-1] if group else None
        if last and (last.date != step.date or place > (last.to or last.path)):
            yield group
            group = []
        group.append(step)
    if group:
        yield group


def _script(groups: Sequence[Sequence[Step]]) -> Iterator[str]:
    """What `git fast-import` is told."""
    content: dict[str, str] = {}
    made = 0
    for number, group in enumerate(groups, 1):
        yield f"commit refs/heads/main\nmark :{number}\n"
        yield f"committer {_WHO} {_START + 60 * number} +0000\ndata 2\n-\n"
        yield f"from :{number - 1}\n" if number > 1 else ""
        new: dict[str, str] = {}
        for step in group:
            if step.kind == "A":
                made += 1
                new[step.path] = f"file {made}\n"
            elif step.to:
                new[step.to] = content.get(step.path, f"file of {step.path}\n")
        for step in group:
            if step.kind != "A":
                content.pop(step.path, None)
                yield f"D {_quoted(step.path)}\n"
        for path, text in new.items():
            content[path] = text
            data = text.encode("utf-8", "surrogateescape")
            yield f"M 100644 inline {_quoted(path)}\ndata {len(data)}\n{text}\n"


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
