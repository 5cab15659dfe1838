"""`memgit recall --explain`: the words that did it, the bar, and why each memory was shown."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]

QUESTION = "psql says connection refused when I connect to staging, which port was it again?"


def test_the_words_are_those_that_were_typed(memgit: Run, sample: Path) -> None:
    shown = memgit("recall", "--explain", "--prompt", QUESTION, cwd=sample)
    assert shown.returncode == 0
    assert "staging-database (ops/staging-database.md) by part 1: shown" in shown.stdout
    assert "psql" in shown.stdout
    assert "speaks for it" in shown.stdout


def test_it_tells_what_the_hook_does(memgit: Run, sample: Path) -> None:
    for prompt in (QUESTION, "ok, looks good, go ahead and commit", "read @deploy first"):
        explained = memgit("recall", "--explain", "--json", "--prompt", prompt, cwd=sample)
        plain = memgit("recall", "--json", "--prompt", prompt, cwd=sample)
        told = [m["name"] for m in json.loads(explained.stdout)["memories"] if m["passed"]]
        assert told == [hit["name"] for hit in json.loads(plain.stdout)["hits"]]


@pytest.mark.parametrize("option", ["--explain", "--json"])
@pytest.mark.parametrize("data", ["", " \n", "not JSON", "[]", '{"prompt": "cut', "[" * 99_999])
def test_no_prompt_is_told_in_one_line(memgit: Run, sample: Path, option: str, data: str) -> None:
    told = memgit("recall", option, cwd=sample, stdin=data)
    assert (told.returncode, told.stdout) == (1, "")
    (line,) = told.stderr.splitlines()
    assert line.startswith("memgit: stdin is ")
    assert "give --prompt TEXT" in line


def test_silence_is_explained_too(memgit: Run, sample: Path) -> None:
    shown = memgit("recall", "--explain", "--prompt", "👍", cwd=sample)
    assert "Nothing to look up" in shown.stdout
