"""git's history as a stream, also where whoever wrote it had an odd clock."""

import os
from pathlib import Path

import pytest

from memgit.domain.store import Store
from memgit.ports.history import commits
from tests.conftest import Run


@pytest.mark.parametrize(
    ("told", "date"),
    [
        ("@253402300799 +1400", "9999-12-30T00:00:00+00:00"),
        ("@999999999999 +0000", "9999-12-30T00:00:00+00:00"),
        ("@1 +0000", "1970-01-01T00:00:01+00:00"),
    ],
)
def test_a_time_that_no_calendar_holds_stops_nothing(
    store: Path, git: Run, memgit: Run, told: str, date: str
) -> None:
    odd = {**os.environ, "GIT_AUTHOR_DATE": told, "GIT_COMMITTER_DATE": told}
    git(store, "commit", "--quiet", "--allow-empty", "--no-verify", "--message=odd", env=odd)
    newest = next(commits(Store.at(store).repository))
    assert newest.date == date
    ended = memgit("--store", store, "status")
    assert (ended.returncode, ended.stderr) == (0, "")
