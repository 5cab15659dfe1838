"""`memgit search`: what a person types is answered, or told, and never breaks anything."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.cli import main

Run = Callable[..., subprocess.CompletedProcess[str]]
Said = tuple[int, str, str]


@pytest.fixture
def search(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """`search(store, *arguments)`: (exit code, out, err)."""

    def run(store: Path, *arguments: str) -> Said:
        with pytest.raises(SystemExit) as ended:
            main(["--store", str(store), "search", *arguments])
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def test_hits_with_their_words_marked(sample: Path, search: Callable[..., Said]) -> None:
    code, out, err = search(sample, "staging")
    assert (code, err) == (0, "")
    first = out.splitlines()
    assert first[0].startswith("ops/staging-database.md  ")
    assert first[1].startswith("  Staging Postgres is reached")
    assert any(line.startswith("  | ") and "«staging" in line for line in first[2:4])


def test_labels_stand_beside_the_path(sample: Path, search: Callable[..., Said]) -> None:
    out = search(sample, "name:payment-timeout-30s")[1]
    assert out.splitlines()[0].endswith(" (superseded by payment-timeout-12s)")


def test_as_json(sample: Path, search: Callable[..., Said]) -> None:
    code, out, _ = search(sample, "staging", "--json", "--limit", "2")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["path"] for row in rows] == ["ops/staging-database.md", "ops/deploy.md"]
    assert rows[0].keys() == {
        "name", "path", "type", "recorded", "labels", "description", "score", "snippet",
    }  # fmt: skip
    assert rows[0]["score"] > rows[1]["score"] > 0


def test_words_in_a_row_are_one_query(sample: Path, search: Callable[..., Said]) -> None:
    assert search(sample, "deploy", "friday", "--json") == search(sample, "deploy friday", "--json")


@pytest.mark.parametrize(
    ("missing", "there"), [("zzzqqq", "staging"), ('"zzz qqq"', '"staging Postgres"'),
                           ("zzzq*", "stag*")]
)  # fmt: skip
def test_a_field_that_there_is_none_of_is_told(
    sample: Path, search: Callable[..., Said], missing: str, there: str
) -> None:
    code, out, err = search(sample, f"descripton:{missing}", "type:nonsense")
    assert (code, out) == (1, "")
    assert err.startswith("nothing found; descripton: no such field; there are name title ")
    assert "ops/staging-database.md" in search(sample, f"descripton:{there}")[1]


@pytest.mark.parametrize("query", ["http://zzzqqq", "12:00:99zzq", "zzzqqq:", "type:zzzqqq"])
def test_a_colon_alone_makes_no_field(
    sample: Path, search: Callable[..., Said], query: str
) -> None:
    assert "no such field" not in search(sample, query)[2]


@pytest.mark.parametrize("arguments", [("はい",), ("zzzqqq", "--json"), ("👍",)])
def test_nothing_found(sample: Path, search: Callable[..., Said], arguments: tuple[str]) -> None:
    assert search(sample, *arguments) == (1, "", "nothing found\n")


def test_no_query(sample: Path, search: Callable[..., Said]) -> None:
    code, out, err = search(sample)
    assert (code, out) == (2, "")
    assert "Missing argument" in err


def test_what_was_just_committed_is_found(
    store: Path, git: Run, search: Callable[..., Said]
) -> None:
    (store / "a.md").write_text("a needle\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one")
    assert search(store, "needle")[0] == 0
    (store / "a.md").write_text("a pin\n")
    git(store, "commit", "--quiet", "--all", "--message=two")
    assert search(store, "needle")[0] == 1
    assert search(store, "pin")[0] == 0


def test_control_characters_are_shown_and_not_obeyed(
    store: Path, git: Run, search: Callable[..., Said]
) -> None:
    (store / "a\n\x1b[2J.md").write_text(
        '---\nname: x\ndescription: "needle \\e[31m"\n---\nneedle \x1b]0;title\x07 \u202e \x9b31m\n'
    )
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one")
    for arguments in (("needle",), ("needle", "--json")):
        code, out, _ = search(store, *arguments)
        assert code == 0
        assert not any(c in out for c in "\x1b\x07\x9b\u202e")
    assert len(search(store, "needle", "--json")[1].splitlines()) == 1


@pytest.mark.parametrize("query", ["熊", "name:x 熊", "熊 AND 山", "熊が", "眠", "구"])
def test_one_character_is_found_within_longer_words(
    store: Path, git: Run, search: Callable[..., Said], query: str
) -> None:
    (store / "bear.md").write_text(
        "---\nname: bear\n---\n冬眠の前に熊当番が山小屋を見る。저녁 친구들\n"
    )
    (store / "deer.md").write_text("---\nname: deer\n---\n鹿当番は川を見る。\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one")
    code, out, _ = search(store, query, "--json")
    assert code == 0
    (row,) = map(json.loads, out.splitlines())
    assert row["name"] == "bear"
    assert "«" in row["snippet"][0]
    assert search(store, "狼")[0] == 1
    without = search(store, "当番 NOT 熊", "--json")[1]
    assert [json.loads(line)["name"] for line in without.splitlines()] == ["deer"]
