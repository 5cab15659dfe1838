"""`memgit show`: the memory that a person means, as it stands, and never as an order."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.cli import main

Run = Callable[..., subprocess.CompletedProcess[str]]
Said = tuple[int, str, str]


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """`show(store, *arguments)`: (exit code, out, err)."""

    def run(store: Path, *arguments: str) -> Said:
        with pytest.raises(SystemExit) as ended:
            main(["--store", str(store), "show", *arguments])
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def commit(git: Run, store: Path, **files: str) -> None:
    for name, text in files.items():
        (store / f"{name}.md").write_text(text)
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=some")


@pytest.mark.parametrize("name", ["payment-timeout-30s", "Payment-Timeout-30S",
                                  "project/payment-timeout-30s.md"])  # fmt: skip
def test_by_name_or_path(sample: Path, show: Callable[..., Said], name: str) -> None:
    code, out, err = show(sample, name)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "payment-timeout-30s (project, project/payment-timeout-30s.md)"
    assert lines[1] == "! superseded by payment-timeout-12s"
    body = (sample / "project/payment-timeout-30s.md").read_text().split("---\n", 2)[2]
    assert out.endswith(f"\n\n{body.strip()}\n")


def test_what_else_leads_to_it(store: Path, git: Run, show: Callable[..., Said]) -> None:
    keys = "topics: [rota, harbour]\naliases: 当番交代\nderived_from:\n  - a\n"
    commit(git, store, a="x\n", b=f"---\nname: b\ndescription: about\n{keys}---\nbody\n")
    assert show(store, "b")[1].splitlines() == [
        "b (project, b.md)", "about", "topics: rota, harbour", "aliases: 当番交代",
        "derived from: a", "", "body",
    ]  # fmt: skip
    assert show(store, "a")[1].splitlines()[1:] == ["", "x"]


def test_as_json(sample: Path, show: Callable[..., Said]) -> None:
    told = json.loads(show(sample, "当番表", "--json")[1])
    assert told["name"] == "当番表"
    assert told["path"] == "ops/当番表.md"
    assert told["type"] == "project"
    assert told["labels"] == []
    assert "type" not in told["metadata"]
    assert told["body"] == (sample / "ops/当番表.md").read_text().split("---\n", 2)[2]


def test_what_is_only_written_counts(store: Path, git: Run, show: Callable[..., Said]) -> None:
    commit(git, store, a="committed words\n")
    (store / "a.md").write_text("other words\n")
    (store / "new.md").write_text("---\nname: brand-new\n---\nwritten words\n")
    assert "other words" in show(store, "a")[1]
    assert "written words" in show(store, "brand-new")[1]
    assert "written words" in show(store, "new.md")[1]


def test_names_that_differ_in_case_or_form_only(
    store: Path, git: Run, show: Callable[..., Said]
) -> None:
    commit(git, store, tabs="lower\n", Tabs="upper\n")
    commit(git, store, **{"e\u0301te\u0301": "apart\n"})
    assert "lower" in show(store, "tabs")[1]
    assert "upper" in show(store, "Tabs")[1]
    assert "upper" in show(store, "Tabs.md")[1]
    code, out, err = show(store, "TABS")
    assert (code, out) == (3, "")
    assert err == "memgit: 2 memories are named TABS: Tabs.md, tabs.md\n  say which path\n"
    assert "apart" in show(store, "été")[1]
    assert "apart" in show(store, "ÉTÉ.md")[1]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Deploy-on", "did you mean no-deploy-on-friday?"),
        ("nothing-like-it", "`memgit search` looks in texts"),
        ("../../etc/passwd", "`memgit search` looks in texts"),
        ("MEMORY.md", "`memgit search` looks in texts"),
    ],
)
def test_no_such_memory(sample: Path, show: Callable[..., Said], name: str, hint: str) -> None:
    assert show(sample, name) == (3, "", f"memgit: no memory is named {name}\n  {hint}\n")


def test_a_link_that_leads_out_is_not_followed(
    store: Path, git: Run, tmp_path: Path, show: Callable[..., Said]
) -> None:
    (tmp_path / "secret").write_text("secret words")
    (store / "link.md").symlink_to(tmp_path / "secret")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=link")
    for name in ("link", "link.md"):
        code, out, _ = show(store, name)
        assert (code, out) == (3, "")


def test_control_characters_are_shown_and_not_obeyed(
    store: Path, git: Run, show: Callable[..., Said]
) -> None:
    evil = "red \x1b[31m bell \x07 back \x08 csi \x9b2J rtl \u202eabc crlf\r\n\ttab \U000e0041"
    commit(git, store, evil=f'---\nname: "e\\evil"\ndescription: "a\\eb"\n---\n{evil}\n')
    out = show(store, "evil.md")[1]
    assert not any(c in out for c in "\x1b\x07\x08\x9b\u202e\r\U000e0041")
    assert "red \\x1b[31m bell \\x07 back \\x08 csi \\x9b2J rtl \\u202eabc crlf\n\ttab" in out
    text = show(store, "evil.md", "--json")[1]
    assert not any(c in text for c in "\x1b\x07\x08\x9b\u202e\r\U000e0041")
    assert json.loads(text)["body"] == f"{evil}\n"


def test_keys_of_every_kind_are_json(store: Path, git: Run, show: Callable[..., Said]) -> None:
    commit(
        git, store, a="---\nname: a\ndate: 2026-05-03\nn: 1.10\nnan: .nan\nl: [1, {a: b}]\n---\n"
    )
    assert json.loads(show(store, "a", "--json")[1])["metadata"] == {
        "date": "2026-05-03", "n": "1.10", "nan": ".nan", "l": [1, {"a": "b"}],
    }  # fmt: skip


def test_a_terminal_of_another_encoding(store: Path, git: Run, memgit: Run) -> None:
    commit(git, store, a="日本 words\n")
    done = memgit("show", "a", cwd=store, env={"PYTHONIOENCODING": "latin-1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u65e5\\u672c words" in done.stdout
    done = memgit("show", "a", "--json", cwd=store, env={"PYTHONIOENCODING": "ascii"})
    assert json.loads(done.stdout)["body"] == "日本 words\n"
