"""What is said twice with different values, and what only looks like it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.always_on import listing
from memgit.domain.borders.comparing import conflicts, guides
from memgit.domain.remember import Wish, remember
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.errors import UsageError

CONFLICTS = [
    ("Postgres listens on port 6432.", "- Postgres listens on port 5432"),
    ("The API server runs on port 8080.", "Start the API server on port 3000."),
    ("The dev server is at localhost:5173.", "The dev server is at localhost:3000."),
    ("Python 3.12 is required.", "We require Python 3.11."),
    ("Node 22.4 runs the build.", "- Node 20.11 runs the build"),
    ("redis 5.2.1 is pinned in uv.lock", "redis 5.0.8 is pinned in uv.lock"),
    ("The default branch is `main`.", "- Default branch: `develop`"),
    ("The package manager is `pnpm`.", "The package manager is `npm`."),
    ("Use pnpm for packages.", "- Use npm for packages"),
    ("Indent with tabs.", "- Indent with spaces."),
    ("The payment timeout is 12 seconds.", "- payment timeout: 30 s"),
    ("The payment timeout is 12 seconds.", "Payment timeout: 12 minutes"),
    ("PAYMENT_TIMEOUT_SECONDS is 12.", "PAYMENT_TIMEOUT_SECONDS=30"),
    ("`MAX_ATTEMPTS` is 5", "```\nMAX_ATTEMPTS=10\n```"),
    ("Failed booking messages are tried 5 times.", "Failed booking messages are tried 10 times."),
    ("Lines are at most 100 characters.", "Lines have at most 88 characters."),
    ("Backfill in batches of 5,000 rows.", "Backfill in batches of 10,000 rows."),
    ("Uploads are limited to 25 MB.", "Uploads are limited to 10 MB."),
    ("The coverage threshold is 85 %.", "Coverage threshold: 70 %"),
    ("Pull requests need 2 approvals.", "- Pull requests need 1 approval"),
    ("Never commit to main directly.", "Always commit to main directly."),
    ("Do not squash merge pull requests.", "- Always squash merge pull requests."),
    ("The code freeze begins 2026-12-12.", "- Code freeze begins 2026-12-19"),
    (
        "Integration tests live in `tests/integration`.",
        "Integration tests live in `spec/integration`.",
    ),
    ("The changelog is in `docs/CHANGES.md`.", "The changelog is in `CHANGELOG.md`."),
    ("The staging database has 40 connections.", "- Staging database: 60 connections"),
    ("Sessions expire after 30 minutes.", "Sessions expire after 1 hour."),
    ("The formatter is `ruff`.", "- Formatter: `black`"),
    ("データベースのポートは 6432。", "データベースはポート 5432 で待つ。"),
    ("決済のタイムアウトは 12 秒。", "- 決済のタイムアウトは 30 秒"),
    ("アプリの最低バージョンは 4.2.0。", "アプリの最低バージョンは 4.1.0"),
    ("パッケージ管理は pnpm を使う。", "パッケージ管理は npm を使う"),
    ("金曜のデプロイは禁止。", "金曜のデプロイは必ず行う"),
    ("予約の再試行は 5 回。", "- 予約の再試行は 3 回"),
    ("既定のブランチは `main` です。", "既定のブランチは `develop` です。"),
    ("添付ファイルの上限は 25 MB。", "添付ファイルの上限は 10 MB"),
    ("機能の凍結日は 2026-12-12。", "機能の凍結日は 2026-12-19"),
]

LOOK_ALIKES = [
    ("Postgres listens on port 6432.", "Redis listens on port 6379."),
    ("Staging Postgres listens on port 6432.", "Production Postgres listens on port 5432."),
    ("Postgres listens on port 6432.", "Locally, Postgres listens on port 5432."),
    ("Nagimaru retries its queue 5 times.", "The Harbor Board retries its queue 10 times."),
    ("The booking API runs on port 8080.", "The Harbor Board API runs on port 9090."),
    ("Python 3.12 is required.", "Node 20.11 is required."),
    ("redis 5.2.1 is pinned.", "httpx 0.27.0 is pinned."),
    ("The payment timeout is 12 seconds.", "The payment timeout was 30 seconds."),
    ("The payment timeout is 12 seconds.", "The payment timeout is 12 s."),
    ("The payment timeout is 12 seconds, not 30.", "Payment timeout: 12000 ms"),
    ("The payment timeout is 12 seconds.", "The login timeout is 30 seconds."),
    ("Never commit to main directly.", "Always commit to a feature branch."),
    ("Never deploy on Friday.", "Deploy on Friday only if payments are down."),
    ("Do not mock the database.", "Always mock the mail server."),
    ("Lines are at most 100 characters.", "Subjects are at most 72 characters."),
    ("Use pnpm for packages.", "Use make for releases."),
    ("The default branch is `main`.", "The release branch is `stable`."),
    ("The code freeze begins 2026-12-12.", "The code freeze ends 2027-01-05."),
    ("Uploads are limited to 25 MB.", "Uploads are limited to 25 MB."),
    ("Integration tests live in `tests/integration`.", "Unit tests live in `tests/unit`."),
    ("Sessions expire after 30 minutes.", "Sessions expire after 0.5 hours."),
    ("The import took 41 minutes.", "The restore took 47 minutes."),
    ("Ports 8080 and 9090 are open.", "Meetings last 30 minutes."),
    ("一般の流量制限は 20 回。", "さかもり航路の流量制限は 60 回。"),
    ("本番のポートは 5432。", "ステージングのポートは 6432。"),
    ("決済のタイムアウトは 12 秒。", "ログインのタイムアウトは 30 秒。"),
    ("決済のタイムアウトは 12 秒。", "以前の決済のタイムアウトは 30 秒だった。"),
    ("金曜のデプロイは禁止。", "月曜のデプロイは必ず見守る。"),
    ("予約の再試行は 5 回。", "通知の再試行は 3 回。"),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".claude" / "rules").mkdir(parents=True)
    return folder


def said(store: Path, project: Path) -> list[tuple[str, int, str, int]]:
    """(path, line, other path, other line) of each conflict, paths without the project's folder."""
    found = conflicts(Store.at(store), guides(project))
    return [
        (
            _short(one.one.path, project),
            one.one.line,
            _short(one.other.path, project),
            one.other.line,
        )
        for one in found
    ]


def _short(path: str, project: Path) -> str:
    return path.removeprefix(f"{project}/")


@pytest.mark.parametrize(("memory", "guide"), CONFLICTS)
def test_one_subject_with_two_values(store: Path, project: Path, memory: str, guide: str) -> None:
    (store / "a.md").write_text(f"---\nname: a\n---\n{memory}\n")
    (project / "CLAUDE.md").write_text(f"# Project\n\n{guide}\n")
    line = 4 if guide.startswith("```") else 3
    assert said(store, project) == [("a.md", 4, "CLAUDE.md", line)]


@pytest.mark.parametrize(("memory", "guide"), LOOK_ALIKES)
def test_what_only_looks_like_it(store: Path, project: Path, memory: str, guide: str) -> None:
    (store / "a.md").write_text(f"---\nname: a\n---\n{memory}\n")
    (project / "CLAUDE.md").write_text(f"# Project\n\n{guide}\n")
    assert said(store, project) == []


@pytest.mark.parametrize("label", ["superseded_by: b", "retired: done", "refuted: wrong"])
def test_what_does_not_hold_any_more_is_left_out(store: Path, project: Path, label: str) -> None:
    (store / "a.md").write_text(f"---\nname: a\n{label}\n---\nPostgres listens on port 6432.\n")
    (store / "b.md").write_text("---\nname: b\n---\nPostgres listens on port 5432.\n")
    assert said(store, project) == []


def test_every_guide_is_read_once(store: Path, project: Path) -> None:
    text = "The payment timeout is {} seconds.\n"
    (store / "a.md").write_text(text.format(12))
    (project / "AGENTS.md").write_text(text.format(12))
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    (project / ".claude" / "rules" / "limits.md").write_text(f"# Limits\n\n{text.format(30)}")
    places = {frozenset({one[0], one[2]}) for one in said(store, project)}
    rule = ".claude/rules/limits.md"
    assert places == {frozenset({"a.md", rule}), frozenset({"CLAUDE.md", rule})}
    with pytest.raises(UsageError):
        guides(project / "none")


def test_a_place_that_says_both_is_a_list(store: Path, project: Path) -> None:
    (store / "a.md").write_text(
        "The worker queue port is 6379.\n\nThe worker queue port is 6380.\n"
    )
    (project / "CLAUDE.md").write_text("The worker queue port is 6380.\n")
    assert said(store, project) == []


PORT = "Postgres listens on port {}.\n"


@pytest.mark.parametrize(
    ("head", "proposal"),
    [
        ("type: project", "let a.md point at"),
        ("type: feedback", "the user said so: let"),
        ("type: feedback\norigin: agent", "let a.md point at"),
    ],
)
def test_a_guide_gives_way_only_to_what_the_user_said(
    store: Path, project: Path, head: str, proposal: str
) -> None:
    (store / "a.md").write_text(f"---\nname: a\n{head}\n---\n{PORT.format(6432)}")
    (project / "CLAUDE.md").write_text(PORT.format(5432))
    (one,) = conflicts(Store.at(store), guides(project))
    assert one.proposal.startswith(proposal)


def test_of_two_memories_the_later_one_may_hold(store: Path, project: Path) -> None:
    text = "---\nname: {}\nmodified: 2026-0{}-01\n---\n" + PORT
    (store / "a.md").write_text(text.format("new", 9, 6432))
    (store / "b.md").write_text(text.format("old", 3, 5432))
    (one,) = conflicts(Store.at(store), [])
    assert one.proposal == "if new holds: memgit supersede old --by new"


def test_profile_and_index(store: Path, project: Path) -> None:
    (store / "a.md").write_text(
        f"---\nname: a\ndescription: {PORT.strip().format(6432)}\n---\n{PORT.format(6432)}"
    )
    (store / "PROFILE.md").write_text(f"- {PORT.format(5432)}")
    (store / "MEMORY.md").write_text("- [a](a.md) — Postgres listens on port 6432.\n")
    (one,) = conflicts(Store.at(store), [])
    assert (one.one.path, one.other.path) == (
        "PROFILE.md",
        "a.md",
    ) or one.other.path == "PROFILE.md"
    assert one.proposal == "let PROFILE.md point at [[a]]"
    (store / "PROFILE.md").unlink()
    (store / "MEMORY.md").write_text("- [a](a.md) — Postgres listens on port 5432.\n")
    (two,) = conflicts(Store.at(store), [])
    assert two.proposal == "let MEMORY.md be made anew"


def test_a_line_that_memgit_made_says_nothing_of_its_own(store: Path, project: Path) -> None:
    (store / "MEMORY.md").write_bytes(listing.text([], False, Cap(40, 2000)))
    remember(Store.at(store), Wish(PORT.format(6432), "database"))
    assert "port 6432" in (store / "MEMORY.md").read_text()
    (project / "CLAUDE.md").write_text(PORT.format(5432))
    (one,) = conflicts(Store.at(store), guides(project))
    assert "MEMORY.md" not in (one.one.path, one.other.path)


def test_the_command(store: Path, project: Path, memgit: Callable[..., object]) -> None:
    (store / "a.md").write_text(PORT.format(6432))
    (project / "CLAUDE.md").write_text(f"\n{PORT.format(5432)}")
    done = memgit("check", "--borders", project, cwd=store)
    assert done.returncode == 1  # type: ignore[attr-defined]
    assert done.stdout == (  # type: ignore[attr-defined]
        f"a.md:1: borders port 6432, but {project}/CLAUDE.md:2 says port 5432; "
        f"let a.md point at {project}/CLAUDE.md\n"
    )
    (project / "CLAUDE.md").write_text("Use tabs.\n")
    assert memgit("check", "--borders", project, cwd=store).returncode == 0  # type: ignore[attr-defined]
