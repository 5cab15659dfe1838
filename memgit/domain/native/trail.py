"""What the agent's transcripts tell of a memory folder: who wrote into it, and in which repository
its sessions worked.

The one rule: a transcript is data; what is taken from it are places, ids and addresses, and none of
them counts before a file or a repository on this machine says the same.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from memgit.domain.transcripts.reader import LONGEST_LINE
from memgit.ports.branches import identity_of

WRITERS = ("Write", "Edit", "MultiEdit")
"""The agent's tools that write a file."""

LARGEST = 64 * 1024 * 1024
"""Bytes of a transcript that are read."""

MOST = 4_000
"""Ids, and addresses, that are looked up in a repository."""

_ID = re.compile(rb"(?<![\w-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])")
_ADDRESS = re.compile(
    rb"(?:https?://|ssh://|git@)[\w.@:/~+-]{3,200}|[\w.-]+\.\w+:[\w./~+-]{1,200}\.git\b"
)


@dataclass
class Trail:
    """`wrote` holds the projects whose sessions wrote a file, by its path below the memory folder.

    `ids` are words that may be commits, `addresses` what remotes may be called, both in the order
    in which they were met.
    """

    wrote: dict[str, set[str]] = field(default_factory=dict)
    ids: dict[str, None] = field(default_factory=dict)
    addresses: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, slug: str, sessions: Iterable[tuple[Path, str]]) -> "Trail":
        """What (transcript, project) pairs tell of the memory folder of a slug."""
        trail = cls()
        for transcript, project in sessions:
            for line in _lines(transcript):
                trail._take(line, slug, project)
        return trail

    def _take(self, line: bytes, slug: str, project: str) -> None:
        if b'"tool_use"' in line and f"/{slug}/memory/".encode() in line:
            for path in _written(line, slug):
                self.wrote.setdefault(path, set()).add(project)
        if b'"tool_result"' in line:
            for found in _ID.finditer(line):
                if len(self.ids) < MOST:
                    self.ids[found[0].decode()] = None
            for found in _ADDRESS.finditer(line):
                if len(self.addresses) < MOST and (name := address_of(found[0].decode())):
                    self.addresses[name] = None


def address_of(remote: str) -> str:
    """What the remote of a project is called on every machine; "" for one that is a place here."""
    return identity_of(remote, Path())


def _lines(transcript: Path) -> Iterator[bytes]:
    """The lines of a transcript; none of one that cannot be read."""
    try:
        with transcript.open("rb") as file:
            left = LARGEST
            while left > 0 and (line := file.readline(min(left, LONGEST_LINE))):
                left -= len(line)
                yield line
    except OSError:
        return


def _written(line: bytes, slug: str) -> Iterator[str]:
    """The paths below the memory folder to which a record's calls wrote."""
    try:
        content = json.loads(line)["message"]["content"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    for block in content if isinstance(content, list) else ():
        if path := _target(block):
            _, found, inner = path.partition(f"/projects/{slug}/memory/")
            if found and ".." not in PurePosixPath(inner).parts:
                yield PurePosixPath(inner).as_posix()


def _target(block: Any) -> str:
    if not isinstance(block, dict) or block.get("name") not in WRITERS:
        return ""
    given = block.get("input")
    path = given.get("file_path") if isinstance(given, dict) else None
    return path if isinstance(path, str) else ""
