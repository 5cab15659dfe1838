"""When a memory was recorded, for those whose files do not say it: git's history knows.

The one rule: it is the author's date of the commit that brought the content, which amending,
rebasing and cherry-picking keep.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from memgit.ports.git import Repository

MANY = 20
"""Paths from which on one walk through the whole history is cheaper than asking for each."""


class Dates:
    """The dates of the `files` (path → blob) of a commit."""

    def __init__(
        self, repository: Repository, commit: str | None, files: Mapping[str, str]
    ) -> None:
        self._repository = repository
        self._commit = commit or "HEAD"
        self._all = self._walk(files) if commit and len(files) > MANY else {}

    def of(self, path: str) -> str:
        """An ISO time in UTC; "" where git does not tell."""
        found = self._all.get(path) or self._repository.run(
            "log", "-1", "--format=%aI", self._commit, "--", path
        )
        try:
            return datetime.fromisoformat(found).astimezone(UTC).isoformat()
        except (ValueError, OverflowError):  # a clock that ran astray, too
            return ""

    def _walk(self, files: Mapping[str, str]) -> dict[str, str]:
        """One pass, newest first: the first commit that gives a path its blob."""
        log = self._repository.run(
            "log", "-z", "--raw", "--no-abbrev", "--no-renames", "--format=%x01%aI", self._commit
        )
        found: dict[str, str] = {}
        date = blob = ""
        for part in log.split("\0"):
            if blob:
                if files.get(part) == blob:
                    found.setdefault(part, date)
                blob = ""
            elif part.startswith("\x01"):
                date = part[1:]
            elif part.lstrip("\n").startswith(":"):
                blob = part.split()[3]
        return found
