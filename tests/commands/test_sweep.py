"""`memgit sweep`, and the schedulers that start it: real ones where they are, else by parsing."""

import configparser
import json
import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memgit.commands.sweep import STAGES
from memgit.domain.queue.owner import owned
from memgit.domain.store import Store
from memgit.domain.swept import Swept
from tests.conftest import Run

NAMES = [stage.verb for stage in STAGES]


def rows(ended: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.fixture
def without_model(sample: Path, git: Run) -> Path:
    """The sample store, whose model has no answers."""
    settings = sample / "memgit.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[model]\ndoor = "replay"\n')
    git(sample, "commit", "--quiet", "--all", "--message=settings")
    return sample


def test_every_stage_has_its_turn_and_is_told(memgit: Run, sample: Path) -> None:
    done = memgit("--store", sample, "sweep", "--no-model", "--json")
    assert done.returncode == 0, done.stderr
    found = rows(done)
    assert [row["stage"] for row in found] == ["verify", "curate", "skills", "budget"]
    assert all(row["exit"] in (0, 1) and not row["fault"] for row in found)
    assert all(row["said"] for row in found if row["stage"] != "skills")  # none is promoted
    assert "[1/4] verify: look up what memories claim" in done.stderr
    swept = Swept.last(Store.at(sample))
    assert swept
    assert swept.ended
    assert " swept on 2" in memgit("--store", sample, "doctor").stdout


def test_for_people_each_stage_says_what_it_says_alone(memgit: Run, sample: Path) -> None:
    done = memgit("--store", sample, "sweep", "--no-model")
    assert done.returncode == 0
    assert "MEMORY.md" in done.stdout


def test_a_stage_that_fails_is_told_and_the_others_have_their_turn(
    memgit: Run, without_model: Path
) -> None:
    done = memgit("--store", without_model, "sweep", "--json")
    assert done.returncode == 4
    found = {row["stage"]: row for row in rows(done)}
    assert list(found) == NAMES
    assert found["enrich"]["exit"] == 4
    assert (found["harvest"]["exit"], found["budget"]["exit"]) == (0, 0)
    swept = Swept.last(Store.at(without_model))
    assert swept
    assert "enrich" not in swept.done
    assert not swept.ended
    told = memgit("--store", without_model, "doctor").stdout
    assert "did not come to its end; done: harvest, verify" in " ".join(told.split())
    again = memgit("--store", without_model, "sweep", "--json")
    assert "going on with the sweep of" in again.stderr
    assert [row["stage"] for row in rows(again)] == [n for n in NAMES if n not in swept.done]
    anew = memgit("--store", without_model, "sweep", "--anew", "--json")
    assert [row["stage"] for row in rows(anew)] == NAMES


def test_a_sweep_that_was_killed_goes_on_where_it_was(memgit: Run, sample: Path) -> None:
    store = Store.at(sample)
    from datetime import UTC, datetime, timedelta

    now = datetime.now(UTC)
    Swept.begin(store, now).with_done(store, "verify")
    done = memgit("--store", sample, "sweep", "--no-model", "--json")
    assert [row["stage"] for row in rows(done)] == ["curate", "skills", "budget"]
    Swept.begin(store, now - timedelta(days=2)).with_done(store, "verify")
    done = memgit("--store", sample, "sweep", "--no-model", "--json")
    assert len(rows(done)) == 4


def test_one_sweep_at_a_time(memgit: Run, store: Path) -> None:
    with owned(Store.at(store), "sweep") as mine:
        assert mine
        done = memgit("--store", store, "sweep")
    assert done.returncode == 3
    assert "another sweep of this store runs" in done.stderr


# ---------------------------------------------------------------------------- schedulers


@pytest.fixture
def odd(store: Path, tmp_path: Path) -> Path:
    """A store whose path has whatever a scheduler could take for something else."""
    folder = tmp_path / "a b" / "日本 100% $HOME 'q' \"d\" @STORE@ <&> \\ `x`"
    folder.parent.mkdir()
    store.rename(folder)
    return folder


@pytest.fixture
def crontab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crontab of one's own: the file that the program `crontab` keeps."""
    kept, programs = tmp_path / "kept", tmp_path / "programs"
    programs.mkdir()
    program = programs / "crontab"
    program.write_text(
        "#!/bin/sh\n"
        f"kept='{kept}'\n"
        'case $1 in -l) [ -f "$kept" ] && exec cat "$kept"; echo no crontab for x >&2; exit 1;;\n'
        '-r) rm "$kept";; -) cat > "$kept";; esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return kept


def install(memgit: Run, store: Path, scheduler: str, *options: str) -> dict[str, Any]:
    done = memgit("--store", store, "install", "sweep", "--with", scheduler, "--json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def expected(store: Path) -> list[str]:
    root = Path(__file__).resolve().parents[2]
    return [sys.executable, "-P", str(root / "memgit/__main__.py"), "--store", str(store), "sweep"]


def test_cron_gets_one_line_that_a_shell_reads_as_meant(
    memgit: Run, odd: Path, crontab: Path
) -> None:
    mine = "MAILTO=me\n0 5 * * * echo 100\\% sure\n"
    crontab.write_text(mine)
    shown = install(memgit, odd, "cron", "--dry-run")
    assert crontab.read_text() == mine
    assert "+# memgit sweep of" in shown["diff"]
    assert install(memgit, odd, "cron", "--at", "06:05")["changed"] is True
    text = crontab.read_text()
    assert text.startswith(mine)
    _, line = text.removeprefix(mine).splitlines()
    minute, hour, *_, command = line.split(" ", 5)
    assert (minute, hour) == ("05", "06")
    # What cron does: a percent sign ends the command, unless it is escaped.
    read = command.replace("\\%", "\0")
    assert "%" not in read
    assignment, *words = shlex.split(read.replace("\0", "%"))
    assert assignment.startswith("PATH=")
    assert str(Path(str(shutil.which("git"))).parent) in assignment
    assert words[:-2] == expected(odd)
    assert words[-2:] == [">/dev/null", "2>&1"]
    assert install(memgit, odd, "cron", "--at", "06:05")["changed"] is False
    install(memgit, odd, "cron", "--at", "07:00")
    assert crontab.read_text().count("memgit sweep of") == 1
    assert "the sweep is out of it" in memgit("--store", odd, "uninstall", "sweep").stdout
    assert crontab.read_text() == mine
    assert "no scheduler sweeps" in memgit("--store", odd, "uninstall", "sweep").stdout


def test_a_crontab_of_ours_alone_is_gone_again(memgit: Run, store: Path, crontab: Path) -> None:
    install(memgit, store, "cron")
    store.rename(gone := store.with_name("moved"))
    assert gone.exists()
    done = memgit("uninstall", "sweep", "--store", store)  # the store need not be there any more
    assert done.returncode == 0, done.stderr
    assert not crontab.exists()


def test_systemd_gets_a_service_and_a_timer(memgit: Run, odd: Path, sealed: Path) -> None:
    value = install(memgit, odd, "systemd")
    assert value["changed"] is True
    units = sealed / ".config" / "systemd" / "user"
    service, timer = sorted(units.glob("memgit*"))
    assert (service.suffix, timer.suffix) == (".service", ".timer")
    assert service.stem == timer.stem
    said = configparser.RawConfigParser(strict=True)
    said.optionxform = str  # type: ignore[assignment,method-assign]
    said.read(timer, "utf-8")
    assert said["Timer"]["OnCalendar"] == "*-*-* 12:30:00"
    assert said["Timer"]["Persistent"] == "true"
    said.read(service, "utf-8")
    assert [_as_systemd(word) for word in shlex.split(said["Service"]["ExecStart"])] == expected(
        odd
    )
    if analyze := shutil.which("systemd-analyze"):
        done = subprocess.run([analyze, "verify", "--user", service, timer],
                              capture_output=True, text=True)  # fmt: skip
        assert service.stem not in done.stderr, done.stderr
    for command in value["left"]:  # no systemd runs here: the person is told what to type
        assert command.startswith("systemctl --user ")
    memgit("--store", odd, "uninstall", "sweep")
    assert list(units.rglob("memgit*")) == []


def _as_systemd(word: str) -> str:
    return word.replace("%%", "%").replace("$$", "$")


def test_launchd_gets_an_agent(memgit: Run, odd: Path, sealed: Path) -> None:
    install(memgit, odd, "launchd", "--at", "23:59")
    (path,) = (sealed / "Library" / "LaunchAgents").iterdir()
    agent = plistlib.loads(path.read_bytes())
    assert agent["Label"] == path.stem
    assert agent["ProgramArguments"] == expected(odd)
    assert agent["StartCalendarInterval"] == {"Hour": 23, "Minute": 59}
    if plutil := shutil.which("plutil"):
        subprocess.run([plutil, "-lint", path], check=True)
    memgit("--store", odd, "uninstall", "sweep")
    assert not path.exists()


def test_two_stores_have_a_schedule_each(
    memgit: Run, store: Path, sample: Path, sealed: Path
) -> None:
    for one in (store, sample):
        install(memgit, one, "systemd")
    units = sealed / ".config" / "systemd" / "user"
    assert len(list(units.glob("memgit*"))) == 4
    memgit("--store", store, "uninstall", "sweep")
    assert len(list(units.glob("memgit*"))) == 2


@pytest.mark.parametrize("time", ["25:00", "noon", "", "12:60"])
def test_a_time_that_is_none_is_told(memgit: Run, store: Path, time: str) -> None:
    done = memgit("--store", store, "install", "sweep", "--at", time)
    assert done.returncode == 2
    assert "write it like 12:30" in done.stderr


@pytest.mark.parametrize("scheduler", ["cron", "systemd", "launchd"])
def test_a_path_that_no_schedule_can_hold_is_refused(
    memgit: Run, store: Path, tmp_path: Path, crontab: Path, scheduler: str
) -> None:
    folder = tmp_path / "a\tb"
    store.rename(folder)
    done = memgit("--store", folder, "install", "sweep", "--with", scheduler)
    assert done.returncode == 2
    assert "cannot stand in a schedule" in done.stderr
    assert not crontab.exists()
