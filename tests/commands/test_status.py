"""`memgit status` and `memgit report`: what they say of a store, and where the page goes."""

import json
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., object]


def test_ten_lines_tell_how_it_is(sample: Path, memgit: Run) -> None:
    done = memgit("--store", sample, "status")
    assert done.returncode == 0, done.stderr
    facts = [line for line in done.stdout.splitlines() if line[:1].isalpha()]
    assert [line.split()[0] for line in facts] == [
        "health", "memories", "always", "recall", "used", "doubts", "claims",
        "waiting", "cost", "battery",
    ]  # fmt: skip


def test_the_first_line_is_the_verdict_and_each_concern_has_its_command(
    sample: Path, memgit: Run
) -> None:
    (sample / "new.md").write_text("Not saved yet.\n")
    told = json.loads(memgit("--store", sample, "status", "--json").stdout)
    assert told["state"] == "warn"
    concerns = {one["code"]: one for one in told["concerns"]}
    assert concerns["unsaved"]["do"] == "memgit save"
    assert concerns["unsaved"]["count"] == 1
    shown = " ".join(memgit("--store", sample, "status").stdout.split())
    assert "A memory is changed but not committed, so it is not recalled. memgit save" in shown


def test_the_page_lies_where_git_never_sees_it_or_where_it_is_asked_for(
    sample: Path, memgit: Run, git: Run, tmp_path: Path
) -> None:
    before = git(sample, "status", "--porcelain").stdout
    path = Path(memgit("--store", sample, "report").stdout.strip())
    assert path.parent == sample / ".git/memgit/main"
    assert git(sample, "status", "--porcelain").stdout == before
    done = memgit("--store", sample, "report", "--out", tmp_path / "a" / "here.html")
    assert done.stdout.strip() == str(tmp_path / "a" / "here.html")
    assert (tmp_path / "a" / "here.html").read_text().startswith("<!doctype html>")
    assert memgit("--store", sample, "report", "--out", "-").stdout.startswith("<!doctype html>")


def test_the_page_speaks_the_language_of_the_locale(sample: Path, memgit: Run) -> None:
    for env, arguments, lang in (
        ({"LC_ALL": "ja_JP.UTF-8"}, (), "ja"),
        ({"LC_ALL": "C.UTF-8"}, (), "en"),
        ({"LC_ALL": "", "LANG": "ja_JP.UTF-8"}, ("--lang", "en"), "en"),
    ):
        made = memgit("--store", sample, "report", "--out", "-", *arguments, env=env).stdout
        assert f'<html lang="{lang}">' in made
    assert (
        "次にすること" in memgit("--store", sample, "report", "--out", "-", "--lang", "ja").stdout
    )


def test_status_and_report_say_the_same_as_json(sample: Path, memgit: Run) -> None:
    first, second = (
        json.loads(memgit("--store", sample, verb, "--json").stdout)
        for verb in ("status", "report")
    )
    assert first.keys() == second.keys()
    assert first["memories"] == second["memories"] > 5


def test_what_is_settled_is_no_doubt_any_more(sample: Path, memgit: Run) -> None:
    """`memgit verify` looks at no memory that is retired or superseded: it could not mend these."""
    at = ("--store", sample)
    for name in ("ci-jobs", "rate-limits"):
        memgit(*at, "label", name, "unverified", "--because", "moved")
    before = json.loads(memgit(*at, "status", "--json").stdout)
    memgit(*at, "retire", "ci-jobs")
    memgit(*at, "supersede", "rate-limits", "--by", "deploy")
    after = json.loads(memgit(*at, "status", "--json").stdout)
    changed = {mark: after["marks"][mark] - before["marks"][mark] for mark in before["marks"]}
    assert changed == {"refuted": 0, "unverified": -2, "superseded": 1, "retired": 1}
    counts = [sum(one["count"] for one in told["concerns"] if one["code"] == "unverified")
              for told in (before, after)]  # fmt: skip
    assert counts[0] - counts[1] == 2
