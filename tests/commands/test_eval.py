"""`memgit eval` as it is typed: a corpus measured, a battery collected by keys, a change judged."""

import json
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

NOTES = {
    "staging-database.md": "# Staging database\n\nStaging listens on port 15432.\n",
    "queue-retries.md": "# Queue retries\n\nThree tries, then the dead letter stream.\n",
    "cache-warming.md": "# Cache warming\n\nThe cache is warmed every night.\n",
    "当番表.md": "# 当番表\n\n当番は毎週月曜に交代する。\n",
}
PROMPTS = {
    "p1": ("which port does the staging database listen on?", "subject", "staging-database.md"),
    "p2": ("how many tries before the dead letter stream of the queue?", "subject",
           "queue-retries.md"),
    "p3": ("ok, go ahead", "chatter", ""),
    "p4": ("what is the weather in Lisbon? \ud83d", "uncovered", ""),
}  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    home = tmp_path / "corpus" / "team"
    (home / "notes").mkdir(parents=True)
    for name, text in NOTES.items():
        (home / "notes" / name).write_text(text, "utf-8")
    rows, labels = [], []
    for key, (prompt, kind, memory) in PROMPTS.items():
        rows.append({"id": key, "prompt": prompt, "lang": "en", "prev_user": "hello"})
        labels.append(
            {"store": "team", "id": key, "kind": kind, "relevant": [memory] if memory else []}
        )
    write(home / "prompts.jsonl", rows)
    write(tmp_path / "corpus" / "labels.jsonl", labels)
    write(tmp_path / "chatter.jsonl", [{"text": "continue", "lang": "en"}, {"text": "はい"}])
    return tmp_path / "corpus"


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_a_corpus_is_measured_beside_its_rivals(
    corpus: Path, memgit: Run, tmp_path: Path, sealed: Path
) -> None:
    done = memgit("eval", "recall", corpus, "--json", "--out", tmp_path / "report")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (made["prompts"], made["stores"], made["faults"]) == (4, ["team"], [])
    assert list(made["contenders"]) == [
        "memgit", "memgit, no log", "FTS5 unicode61", "FTS5 trigram", "Whoosh, plain",
    ]  # fmt: skip
    ours = made["contenders"]["memgit"]
    assert ours["chatter_file"] == {"n": 2, "value": 1.0, "low": 0.342, "high": 1.0}
    assert ours["by_kind"]["chatter"]["silent"]["value"] == 1.0
    assert made["contenders"]["FTS5 unicode61"]["by_kind"]["subject"]["hit2"]["value"] == 1.0
    assert (made["hook"]["prompts"], made["hook"]["same_answer"]) == (4, 4)
    page = (tmp_path / "report" / "recall.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert (sealed / ".cache" / "memgit" / "eval").is_dir()

    text = memgit("eval", "recall", corpus, "--cache", tmp_path / "cache")
    assert text.returncode == 0
    assert "A right memory among the first two" in text.stdout
    assert max(map(len, text.stdout.splitlines())) <= 80


def test_what_cannot_be_read_is_told_and_the_rest_is_measured(corpus: Path, memgit: Run) -> None:
    with (corpus / "labels.jsonl").open("a") as file:
        file.write("{half\n")
    done = memgit("eval", "recall", corpus / "team", "--json")
    assert done.returncode == 0
    assert "labels.jsonl:5: json" in done.stderr
    assert json.loads(done.stdout)["prompts"] == 4


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ((), 2, "name a CORPUS"),
        (("corpus", "--battery"), 2, "name a CORPUS"),
        (("corpus/team/notes",), 2, "no corpus"),
        (("--battery",), 3, "no battery yet"),
        (("corpus", "--out", "chatter.jsonl/report"), 2, "Not a directory"),
        (("corpus", "--cache", "chatter.jsonl/cache"), 2, "Not a directory"),
    ],
)
def test_a_call_that_does_not_fit_is_one_clear_line(
    arguments: tuple[str, ...], status: int, said: str, corpus: Path, sample: Path, memgit: Run
) -> None:
    done = memgit("--store", sample, "eval", "recall", *arguments, cwd=corpus.parent)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def transcripts(folder: Path, *prompts: str) -> Path:
    rows = [{"type": "user", "message": {"content": prompt}} for prompt in prompts]
    write(folder / "p" / "s.jsonl", rows)
    return folder


class Keyboard:
    """A command in a terminal: it is read until it waits for a key, then gets one."""

    def __init__(self, *arguments: str | Path) -> None:
        self.seen = ""
        self._end, terminal = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "memgit", *map(str, arguments)],
            stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        )  # fmt: skip
        self._terminal = terminal

    def wait_for(self, text: str) -> str:
        """Read until `text` is on the screen; what was read since the last time."""
        start, late = len(self.seen), time.monotonic() + 60
        while text not in self.seen[start:]:
            assert time.monotonic() < late, self.seen
            if not select.select([self._end], [], [], 1)[0]:
                continue
            self.seen += os.read(self._end, 65536).decode("utf-8", "replace")
        return self.seen[start:]

    def press(self, key: str) -> None:
        """Press a key once the command waits for one: what is typed before that is lost."""
        late = time.monotonic() + 60
        while termios.tcgetattr(self._terminal)[3] & termios.ICANON:
            assert time.monotonic() < late, self.seen
            time.sleep(0.002)
        os.write(self._end, key.encode())

    def ended(self) -> int:
        return self._process.wait(timeout=60)


def test_a_battery_is_collected_by_keys_and_goes_on_where_it_was_left(
    sample: Path, memgit: Run, tmp_path: Path
) -> None:
    prompts = (
        "psql says connection refused when I connect to staging, which port was it again?",
        "ok, looks good, go ahead \x1b]0;owned\x07",
        "who is on call the week of December 14?",
    )
    folder = transcripts(tmp_path / "t", *prompts)
    call = ("--store", sample, "eval", "collect", "--transcripts", folder)
    collect = Keyboard(*call)
    collect.wait_for("[y/n]")
    collect.press("y")
    for number in (1, 2):
        screen = collect.wait_for("q quit")
        assert f"{number} of 3" in screen
        assert "\x1b]0;owned" not in screen, "a prompt does not drive the terminal"
        collect.press("n")
    collect.wait_for("q quit")
    collect.press("u")
    assert "2 of 3" in collect.wait_for("q quit")
    collect.press("1")
    collect.wait_for("q quit")
    collect.press("q")
    assert collect.ended() == 0

    derived = sample / ".git" / "memgit" / "main"
    rows = [json.loads(line) for line in (derived / "battery.jsonl").read_text().splitlines()]
    assert [row["kind"] for row in rows] == ["nothing", "nothing", "subject"]
    assert rows[1]["id"] == rows[2]["id"]
    log = [
        json.loads(line)["text"] for line in (derived / "prompts.jsonl").read_text().splitlines()
    ]
    assert sorted(log) == sorted(prompts)

    again = Keyboard(*call)
    assert "3 of 3" in again.wait_for("q quit")
    again.press("y")
    assert again.ended() == 0
    done = memgit("--store", sample, "eval", "recall", "--battery", "--json")
    assert json.loads(done.stdout)["prompts"] == 3, done.stderr
    assert memgit("list", cwd=sample).returncode == 0
    status = subprocess.run(["git", "status", "--porcelain"], cwd=sample, capture_output=True)
    assert status.stdout == b""


def test_no_log_is_kept_without_a_yes(sample: Path, tmp_path: Path) -> None:
    collect = Keyboard("--store", sample, "eval", "collect", "--transcripts",
                       transcripts(tmp_path / "t", "one prompt"))  # fmt: skip
    collect.wait_for("[y/n]")
    collect.press("n")
    collect.wait_for("q quit")
    collect.press("q")
    assert collect.ended() == 0
    assert not (sample / ".git" / "memgit" / "main" / "prompts.jsonl").exists()


def test_collect_without_a_terminal_or_prompts_says_so(
    sample: Path, memgit: Run, tmp_path: Path
) -> None:
    done = memgit("--store", sample, "eval", "collect")
    assert (done.returncode, "terminal" in done.stderr) == (2, True)
    (tmp_path / "none").mkdir()
    empty = Keyboard("--store", sample, "eval", "collect", "--transcripts", tmp_path / "none")
    assert empty.ended() == 2


@pytest.fixture
def judged(sample: Path) -> Path:
    """The sample store with a battery of seven prompts for one memory."""
    rows = [
        {"id": str(n), "kind": "subject", "relevant": ["staging-database"],
         "prompt": f"psql says connection refused when I connect to staging, try {n}"}
        for n in range(7)
    ]  # fmt: skip
    write(sample / ".git" / "memgit" / "main" / "battery.jsonl", rows)
    return sample


def test_a_measured_battery_is_kept_by_commit_for_the_report(
    judged: Path, git: Run, memgit: Run
) -> None:
    assert memgit("--store", judged, "eval", "recall", "--battery").returncode == 0
    told = json.loads(memgit("--store", judged, "status", "--json").stdout)["battery"]
    head = git(judged, "rev-parse", "HEAD").stdout.strip()
    assert [(one["commit"], one["hits"], one["asked"], one["idle"]) for one in told] == [
        (head, 7, 7, 0)
    ]
    (judged / "ops" / "staging-database.md").write_text("---\nname: staging-database\n---\nx\n")
    assert memgit("--store", judged, "eval", "recall", "--battery").returncode == 0
    again = json.loads(memgit("--store", judged, "status", "--json").stdout)["battery"]
    assert again == told, "what is not committed belongs to no commit"


def test_a_change_is_judged_prompt_by_prompt(judged: Path, memgit: Run) -> None:
    same = memgit("--store", judged, "eval", "compare", "HEAD")
    assert same.returncode == 0, same.stderr
    assert "verdict: no prompt changed; this shows no improvement" in same.stdout
    (judged / "ops" / "staging-database.md").write_text("---\nname: staging-database\n---\nx\n")
    worse = memgit("--store", judged, "eval", "compare", "HEAD", "--json")
    made = json.loads(worse.stdout)
    assert (worse.returncode, made["verdict"]) == (1, "worse")
    assert {change["what"] for change in made["changes"]} == {"lost"}
    assert made["tests"]["right"]["down"] == 7


def test_settings_are_judged_on_a_corpus(judged: Path, corpus: Path, memgit: Run) -> None:
    call = ("--store", judged, "eval", "compare", "HEAD", "--corpus", corpus, "--json")
    assert json.loads(memgit(*call).stdout)["verdict"] == "no prompt changed"
    with (judged / "memgit.toml").open("a") as file:
        file.write("\n[weights]\nbody = 0.0\nname = 0.0\nheadings = 0.0\n")
    changed = json.loads(memgit(*call).stdout)
    assert changed["tests"]["right"]["down"] > 0


def test_no_such_revision_is_one_clear_line(judged: Path, memgit: Run) -> None:
    done = memgit("--store", judged, "eval", "compare", "nowhere")
    assert done.returncode == 3
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr
