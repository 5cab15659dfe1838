"""A line of shell is read as its commands, and what each is called says what it does."""

import pytest

from memgit.domain.skills.command_name import ACTS, LOOKS, name_of
from memgit.domain.skills.shell_line import commands

HEREDOC = """git add a && git commit -m "$(cat <<'EOF'
feat: it's "x" && rm -rf /

git push
EOF
)" && git push"""


def names(line: str) -> list[str]:
    return [named[0] for command in commands(line) if (named := name_of(command))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (HEREDOC, ["git add", "git commit", "git push"]),
        ("cd /x && FOO=1 mise run test -- -run T 2>&1 | tail -5", ["cd", "mise run test", "tail"]),
        ("cat > f <<EOF\ngit push\nEOF\ngit status", ["cat", "git status"]),
        ("git -C /a/b -c x=y log --oneline", ["git log"]),
        ("sudo -n timeout 5 make lint", ["make lint"]),
        ("uv run pytest -q", ["uv run pytest"]),
        ("npx tsc --noEmit", ["npx tsc"]),
        ("python3 -m pytest tests", ["python -m pytest"]),
        ("docker compose -f x.yml up -d", ["docker compose up"]),
        ("gh pr view 12 --json title", ["gh pr view"]),
        ("gh api repos/o/r/pulls/1/comments --jq .", ["gh api"]),
        ("gh api repos/o/r/x -f body=y", ["gh api -f"]),
        ("git diff main...HEAD --stat", ["git diff <base>..HEAD"]),
        ("git diff --stat", ["git diff"]),
        ("/tmp/try explain", ["/tmp/<bin>"]),
        ("./gradlew build", ["gradlew build"]),
        ("bd close spotter-gqc.4", ["bd close"]),
        ("git stash pop", ["git stash pop"]),
        ("make deadbee1", ["make"]),
        ("X=$(git rev-parse HEAD)", []),
        ("$EDITOR x", []),
        ("", []),
        ("diff <(ls a) <(ls b)", ["diff"]),
        ("a 2>/dev/null || b &> x; # git push", ["a", "b"]),
        ("for i in 1 2; do git fetch $i; done", ["for", "git fetch", "done"]),
    ],
)
def test_what_a_line_does(line: str, expected: list[str]) -> None:
    assert names(line) == expected


HALVES = [
    "'",
    '"',
    "`",
    "$(",
    "<<",
    "<<EOF",
    "a <<EOF\nb",
    "((",
    "\\",
    "<(",
    ">",
    "&",
    ";;;|",
    "$(`",
]


@pytest.mark.parametrize("line", HALVES)
def test_half_a_line_ends_all_the_same(line: str) -> None:
    list(commands(line))
    assert next(iter(commands(f"git push; {line}"))).text == "git push"  # what came before is told


@pytest.mark.parametrize(
    ("line", "kind"),
    [("git status", LOOKS), ("git push", ACTS), ("ls -la", LOOKS), ("make --help", LOOKS),
     ("gh pr view 1", ACTS), ("bd list", LOOKS), ("npm run build", ACTS), ("rg x", LOOKS)],
)  # fmt: skip
def test_what_only_looks(line: str, kind: str) -> None:
    assert [name_of(command)[1] for command in commands(line)] == [kind]  # type: ignore[index]
