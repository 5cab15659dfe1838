"""What a memory claims in so many words, and what it does not."""

import pytest

from memgit.domain.claims.extraction import extract
from memgit.domain.memory import parse

KNOWN = {"src/app.py", "Makefile", "README.md", "rotate.py", "docs/run book.md", "src", "tests/"}


def claims(text: str, known: set[str] = KNOWN) -> list[tuple[str, dict[str, object]]]:
    """(probe, arguments) of each claim of a body."""
    memory = parse("ops/note.md", text.encode())[0]
    found = extract(memory, text, lambda path: path in known)
    return [(one.probe, dict(one.arguments)) for one in found.claims]


def paths(text: str) -> list[str]:
    return [str(arguments["path"]) for probe, arguments in claims(text) if probe == "path_exists"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("It starts in `src/app.py`.", ["src/app.py"]),
        ("It starts in src/app.py.", ["src/app.py"]),
        ("See `src/app.py:12-20` and `ops/new.py#L3`.", ["src/app.py", "ops/new.py"]),
        ("Run `python src/app.py --root=x/y.py`.", ["src/app.py"]),
        ("`tests/test_a.py::test_b`", ["tests/test_a.py"]),
        ("[plan](plan.md) and [other](../other/plan.md#top)", ["./plan.md", "../other/plan.md"]),
        ("`rotate.py` rotates; `unheard.py` is a word", ["rotate.py"]),
        ("All of src, or `tests/`", ["tests/"]),
        ("`docs/run book.md` is the book", ["docs/run book.md"]),
        (
            "鍵は`src/鍵.py`で回す。設定は「ops/config.toml」にある",
            ["src/鍵.py", "ops/config.toml"],
        ),
        ("| `ops/keys.py` | does it |", ["ops/keys.py"]),
        ("~/.ssh/config.toml is mine", ["~/.ssh/config.toml"]),
        ("`.github/workflows/ci.yml`", [".github/workflows/ci.yml"]),
        ("It is *src/app.py*, **not** more", ["src/app.py"]),
    ],
)
def test_paths(line: str, expected: list[str]) -> None:
    assert paths(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "yes/no and/or Q1/A1 Suppression/bypass 1/2 3.4/5.6 24/7 n/a w/o",
        "`feat/new-thing` `origin/main` `fix/x-1` ferry/harbor actions/checkout@v4",
        "`src/*.py` `src/**/x.py` `src/<name>.py` `src/{name}.py` `$HOME/x.py` `%APPDATA%/x.py`",
        "`.../x.py` `path/to/file.py` `your/file.py` `YYYY/MM-DD.md` `foo/bar.py` `src/x.py`",
        "https://ferry.dev/a/b.html and github.com/ferry/harbor/blob/main/a.py ferry.dev/x.py",
        "GET /repos/{owner}/{repo}/pulls /api/v1/users",
        "`HEAD:src/b.py` `main:src/b.py` C:\\src\\b.py src\\b.py",
        "me@ferry.dev/x.py user@host:src/b.py",
        "`src/b.py` was deleted in May",
        "The old `src/b.py` is gone",
        "There is no `src/b.py` any more",
        "`src/b.py` does not exist",
        "`src/b.py` (since renamed to other)",
        "Create `src/b.py` first",
        "e.g. `src/b.py`",
        "`src/b.py` は削除した",
        "`src/b.py`は存在しない",
        "-rf/x.py --file=src/b.py",
        "v1.2.3 e.g. i.e. 3.11 .py .md",
    ],
)
def test_no_paths(line: str) -> None:
    assert paths(line) == []


def test_a_path_in_a_block_of_code_is_one_where_a_root_knows_it() -> None:
    assert paths("```\npython src/app.py\npython src/other.py\n```\n") == ["src/app.py"]


def test_a_known_path_may_be_wished_for_and_is_still_there() -> None:
    assert paths("Create `src/app.py` first") == ["src/app.py"]


@pytest.mark.parametrize(
    ("line", "probe", "arguments"),
    [
        ("PR #12 merged on Monday", "pr_merged", {"number": 12}),
        ("Landed in PR #12", "pr_merged", {"number": 12}),
        ("ferry/harbor#12 was merged", "pr_merged", {"number": 12, "repo": "ferry/harbor"}),
        ("PR #12 はマージ済み", "pr_merged", {"number": 12}),
        ("See https://ferry.dev/docs#top.", "url_answers", {"url": "https://ferry.dev/docs"}),
        ("Fixed by commit `0a1b2c3d`", "commit_exists", {"commit": "0a1b2c3d"}),
        ("The release branch is `release/2`", "branch_exists", {"branch": "release/2"}),
        ("`LIMIT = 12` in `src/a.py`", "path_contains", {"path": "src/a.py", "text": "LIMIT = 12"}),
        ("`conf/app.toml` sets `port = 1`", "path_contains",
         {"path": "conf/app.toml", "text": "port = 1"}),
        ("`rotate_keys` is defined in `ops/r.py`", "path_contains",
         {"path": "ops/r.py", "symbol": "rotate_keys"}),
        ("It listens on port 8081", "port_configured", {"port": 8081}),
        ("port 8081 in `compose.yaml`", "port_configured", {"port": 8081, "path": "compose.yaml"}),
        ("`fastapi==0.110.0` is pinned", "package_version",
         {"package": "fastapi", "version": "0.110.0"}),
        ("`react@18.2.0`", "package_version", {"package": "react", "version": "18.2.0"}),
        ("The GitHub secret `API_KEY` holds it", "secret_exists", {"name": "API_KEY"}),
        ("`API_KEY` is in Doppler `harbor/prd`", "secret_exists",
         {"name": "API_KEY", "project": "harbor", "config": "prd"}),
        ("the Doppler project `harbor`", "doppler_project_exists", {"project": "harbor"}),
        ("`API_KEY` stands in `.env.example`", "env_example_has", {"name": "API_KEY"}),
        ("The CI job `e2e` runs it", "ci_job_exists", {"job": "e2e"}),
        ("`terraform` is installed there", "command_exists", {"command": "terraform"}),
        ("`rg` が使える", "command_exists", {"command": "rg"}),
        ("`left-pad` is pinned at 1.3.0.", "package_version",
         {"package": "left-pad", "version": "1.3.0"}),
        ("`left-pad` は 1.3.0 に固定", "package_version",
         {"package": "left-pad", "version": "1.3.0"}),
        ("Run `make deploy`", "command_exists", {"command": "make", "task": "deploy"}),
        ("`ferry/harbor` is private", "repo_visibility",
         {"repo": "ferry/harbor", "visibility": "private"}),
        ("EC2 instance `i-0abc12345` in `eu-west-1`", "cloud_instance_exists",
         {"cloud": "aws", "instance": "i-0abc12345", "place": "eu-west-1"}),
        ("GCE instance `web-1` in project `ferry-prod`", "cloud_instance_exists",
         {"cloud": "gcp", "instance": "web-1", "project": "ferry-prod"}),
    ],
)  # fmt: skip
def test_what_is_said_outright(line: str, probe: str, arguments: dict[str, object]) -> None:
    assert (probe, arguments) in claims(line)


@pytest.mark.parametrize(
    "line",
    [
        "PR #12 is not merged", "PR #12 couldn't auto-merge", "merge conflict in PR #12",
        "PR #12 and 30 comments", "when PR #12 is merged", "`LIMIT = 12` alone", "8081 alone",
        "a deadbeef0 hash", "Observed on branch `fix/x`", "https://user:pw@ferry.dev/",
        "http://localhost.example.org/{id}", "`make test`", "an internal secret",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_claim(line: str) -> None:
    assert claims(line) == []


@pytest.mark.parametrize(
    ("line", "mood"),
    [
        ("PR #12 is open", "open"), ("PR #12 is still open", "open"),
        ("PR #12 was closed", "closed"), ("I closed PR #12 unmerged", "closed"),
        ("PRs #12 and #13 were closed by a bot", "closed"),
        ("PR #12 は まだオープン中", "open"), ("| x | #12 | open |", "open"),
    ],
)  # fmt: skip
def test_moods_are_refused_with_the_reason(line: str, mood: str) -> None:
    memory = parse("note.md", line.encode())[0]
    found = extract(memory, line, lambda path: False)
    assert found.claims == ()
    assert all(f"{mood} is a mood" in one.reason for one in found.refused)
    assert found.refused


def test_claims_stand_on_their_line_of_the_file() -> None:
    text = "---\nname: n\ndescription: see `ops/one.py`\n---\n\nwords\nand `ops/two.py`\n"
    memory = parse("n.md", text.encode())[0]
    found = extract(memory, text, lambda path: False)
    assert [(one.mention, one.line) for one in found.claims] == [
        ("ops/one.py", 3),
        ("ops/two.py", 7),
    ]


def test_a_claim_is_made_once_however_often_it_is_said() -> None:
    assert paths("`ops/one.py`\n\n`ops/one.py` again\n") == ["ops/one.py"]


def test_a_line_without_end_is_read_in_time() -> None:
    assert paths("a." * 200_000) == []
    assert paths("`" * 50_000 + "[" * 50_000 + "(" * 50_000) == []
