"""A folder for a while: gone whatever ends the program."""

import os
import signal
from pathlib import Path

import pytest

from memgit.ports.scratch import scratch


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_takes_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = signal.getsignal(number)
    with pytest.raises(SystemExit) as ended, scratch("memgit-a-"):
        os.kill(os.getpid(), number)
    assert ended.value.code == 128 + number
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(number) == before


def test_it_stays_where_it_is_to_stay() -> None:
    with scratch("memgit-a-", keep=True) as folder:
        pass
    assert folder.is_dir()
    folder.rmdir()
