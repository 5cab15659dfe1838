"""The pass: roots that a memory belongs to, what is asked again, what an edit would say."""

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memgit.domain.claims.journal import Journal, Standing
from memgit.domain.claims.roots import Roots, gather, project_of
from memgit.domain.claims.scene import World
from memgit.domain.claims.verdict import Verdict
from memgit.domain.memory import parse
from memgit.domain.proposals.applying import judged
from memgit.domain.store import Store
from memgit.passes.moving import moved, proposal
from memgit.passes.verify import Judged, Reading, judge, readings
from memgit.ports.shell import Told

Git = Callable[..., subprocess.CompletedProcess[str]]

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def put(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


@pytest.fixture
def harbor(tmp_path: Path, git: Git) -> Path:
    """A project in which `ops/rotate.py` became `tools/rotate.py`."""
    folder = tmp_path / "harbor"
    git(tmp_path, "init", "--quiet", str(folder))
    put(folder, {"ops/rotate.py": "x\n", "src/app.py": "y\n"})
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=first")
    (folder / "tools").mkdir()
    git(folder, "mv", "ops/rotate.py", "tools/rotate.py")
    git(folder, "commit", "--quiet", "--message=second")
    git(folder, "remote", "add", "origin", "git@github.com:ferry/harbor.git")
    return folder


def verified(
    store: Path, roots: Roots, standing: dict[str, Standing] | None = None, now: datetime = NOW,
    anew: bool = False,
) -> list[Judged]:  # fmt: skip
    opened = Store.at(store)
    read = list(readings([(path, opened.content(path)) for path in opened.paths()], roots))
    return list(judge(read, roots, standing or {}, now, lambda reading: anew))


def verdicts(found: list[Judged]) -> dict[str, str]:
    return {one.claim.mention: one.standing.verdict for one in found}


def test_a_memory_is_judged_by_the_project_that_it_is_about(
    store: Path, harbor: Path, tmp_path: Path, git: Git
) -> None:
    other = tmp_path / "board"
    git(tmp_path, "init", "--quiet", str(other))
    put(other, {"src/board.py": "x\n"})
    put(store, {
        "a.md": "---\nmetadata:\n  project: github.com/ferry/harbor\n---\n\n`src/board.py`\n",
        "b.md": "---\nmetadata:\n  scope:\n    project: board\n    branch: main\n---\n\n"
                "`src/board.py`\n",
        "c.md": "---\nmetadata:\n  project: github.com/ferry/elsewhere\n---\n\n`src/app.py`\n",
        "d.md": "`src/board.py` and `src/app.py`\n",
    })  # fmt: skip
    found = verified(store, gather(Store.at(store), [harbor, other]))
    told = {(one.reading.path, one.claim.mention): one.standing.verdict for one in found}
    assert told == {
        ("a.md", "src/board.py"): "refuted",
        ("b.md", "src/board.py"): "supported",
        ("c.md", "src/app.py"): "unknown",
        ("d.md", "src/board.py"): "supported",
        ("d.md", "src/app.py"): "supported",
    }


def test_a_claim_can_name_its_own_project(store: Path, harbor: Path, tmp_path: Path) -> None:
    put(tmp_path / "board", {"src/board.py": "x\n"})
    row = (
        "    - probe: path_exists\n      args: {{path: src/app.py, repo: {0}}}\n      words: {0}\n"
    )
    rows = "".join(row.format(name) for name in ("harbor", "ferry/harbor", "board", "elsewhere"))
    body = "harbor, ferry/harbor, board and elsewhere"
    put(store, {"a.md": f"---\nmetadata:\n  claims:\n{rows}---\n\n{body}\n"})
    roots = gather(Store.at(store), [harbor, tmp_path / "board"])
    told = {str(one.claim.arguments.get("repo")): one.standing for one in verified(store, roots)}
    said = {repo: one.verdict for repo, one in told.items() if repo != "None"}
    assert said == {"harbor": "supported", "ferry/harbor": "supported", "board": "refuted",
                    "elsewhere": "unknown"}  # fmt: skip
    assert "elsewhere, whose checkout is not named" in told["elsewhere"].why


def test_projects_of_the_settings_are_roots(store: Path, harbor: Path) -> None:
    (store / "memgit.toml").write_text('[projects]\nharbor = "../harbor"\ngone = "/nowhere"\n')
    put(store, {"a.md": "`src/app.py` `ops/rotate.py`\n"})
    roots = gather(Store.at(store))
    assert verdicts(verified(store, roots)) == {
        "src/app.py": "supported", "ops/rotate.py": "refuted",
    }  # fmt: skip
    assert len(roots.faults) == 1
    assert "gone" in roots.faults[0]


def test_a_store_that_is_not_trusted_is_looked_into_alone(store: Path, harbor: Path) -> None:
    asked: list[str] = []

    def ask(program: str, *words: str) -> Told:
        asked.append(program)
        return Told(fault="asked")

    put(store, {"a.md": "`src/app.py` `ops/rotate.py` [b](b.md) [c](c.md) PR #1 merged "
                        "https://ferry.dev/ `make deploy`\n", "b.md": "words\n"})  # fmt: skip
    roots = gather(Store.at(store), [harbor], is_trusted=False, world=World(ask=ask))
    told = verdicts(verified(store, roots))
    assert told.pop("b.md") == "supported"
    assert told.pop("c.md") == "refuted"
    assert set(told.values()) == {"unknown"}
    assert asked == []


def test_a_memory_about_memgit_itself_is_checked_like_any_other(store: Path, git: Git) -> None:
    put(store, {
        ".git/hooks/post-commit": "#!/bin/sh\n",
        "memgit.toml": "format = 1\n[recall]\nmemories = 2\n",
        "a.md": "The hook is `.git/hooks/post-commit`; `memories = 2` in `memgit.toml`.\n",
        "b.md": "`.git/hooks/pre-push` is there; `memories = 3` in `memgit.toml`.\n",
    })  # fmt: skip
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=memories")
    found = verified(store, gather(Store.at(store), [store]))
    told = {(one.reading.path, one.claim.probe): one.standing.verdict for one in found
            if one.claim.mention != "memgit.toml"}  # fmt: skip
    assert told == {
        ("a.md", "path_exists"): "supported",
        ("a.md", "path_contains"): "supported",
        ("b.md", "path_contains"): "refuted",
    }


def test_the_same_claim_of_many_memories_is_asked_once(store: Path, harbor: Path) -> None:
    asked: list[tuple[str, ...]] = []

    def ask(program: str, *words: str) -> Told:
        asked.append((program, *words))
        return Told('{"number": 7, "state": "MERGED"}', "", 0)

    put(store, {f"{n}.md": "PR #7 merged.\n" for n in range(20)})
    found = verified(store, gather(Store.at(store), [harbor], world=World(ask=ask)))
    assert [one.standing.verdict for one in found] == ["supported"] * 20
    assert len(asked) == 1


def test_what_was_answered_is_not_asked_again_while_it_holds(store: Path, harbor: Path) -> None:
    put(store, {"a.md": "`src/app.py` `ops/rotate.py` https://ferry.invalid/\n"})
    roots = gather(Store.at(store), [harbor])
    first = verified(store, roots)
    standing = {one.standing.key: one.standing for one in first}
    again = verified(store, roots, standing, NOW + timedelta(hours=12))
    assert {one.claim.mention for one in again if one.is_new} == {"https://ferry.invalid/"}
    assert all(one.is_new for one in verified(store, roots, standing, NOW + timedelta(days=2)))
    assert all(one.is_new for one in verified(store, roots, standing, anew=True))


def test_a_new_commit_of_the_project_is_a_reason_to_ask(
    store: Path, harbor: Path, git: Git
) -> None:
    put(store, {"a.md": "`src/app.py`\n"})
    first = verified(store, gather(Store.at(store), [harbor]))
    git(harbor, "rm", "--quiet", "src/app.py")
    git(harbor, "commit", "--quiet", "--message=gone")
    standing = {one.standing.key: one.standing for one in first}
    assert verdicts(verified(store, gather(Store.at(store), [harbor]), standing)) == {
        "src/app.py": "refuted"
    }


def test_a_run_that_was_ended_half_way_goes_on_where_it_was(store: Path, harbor: Path) -> None:
    put(store, {f"{n:02}.md": f"`src/never{n}.py`\n" for n in range(10)})
    opened = Store.at(store)
    roots = gather(opened, [harbor])
    read = list(readings([(path, opened.content(path)) for path in opened.paths()], roots))
    journal = Journal(opened)
    running = judge(read, roots, journal.standing(), NOW)
    for _ in range(4):
        journal.note(next(running).standing)
    running.close()  # type: ignore[attr-defined]
    rest = list(judge(read, roots, Journal(opened).standing(), NOW))
    assert (len(rest), sum(one.is_new for one in rest)) == (10, 6)


def test_a_probe_that_fails_has_seen_nothing(store: Path, harbor: Path) -> None:
    def ask(program: str, *words: str) -> Told:
        raise RuntimeError("broken")

    put(store, {"a.md": "PR #7 merged.\n"})
    (one,) = verified(store, gather(Store.at(store), [harbor], world=World(ask=ask)))
    assert (one.standing.verdict, "RuntimeError" in one.standing.why) == ("unknown", True)


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("Run `ops/rotate.py` first.\n", "Run `tools/rotate.py` first.\n"),
        ("Run `ops/rotate.py:12`.\n", "Run `tools/rotate.py:12`.\n"),
        ("x\n\nops/rotate.py is it\n", "x\n\ntools/rotate.py is it\n"),
        ("`old-ops/rotate.py` `ops/rotate.py`\n", "`old-ops/rotate.py` `tools/rotate.py`\n"),
        (
            "`ops/rotate.py` is it.\n\nRun `ops/rotate.py:12`; was `ops/rotate.py` before.\n",
            "`tools/rotate.py` is it.\n\nRun `tools/rotate.py:12`; was `ops/rotate.py` before.\n",
        ),
    ],
)
def test_what_was_moved_becomes_an_edit(store: Path, harbor: Path, body: str, after: str) -> None:
    put(store, {"a.md": body})
    opened = Store.at(store)
    found = moved(verified(store, gather(opened, [harbor])))
    made = proposal(opened, opened.content("a.md"), found, NOW)
    assert made is not None
    assert (made.kind, made.actor, made.memories, made.text) == ("edit", "verify", ("a",), after)
    assert made.evidence[0].quote in body


def test_a_link_to_a_memory_that_went_elsewhere_is_mended_as_a_link(
    store: Path, tmp_path: Path
) -> None:
    put(store, {"ops/a.md": "See [the plan](plan.md) and plan.md.\n", "old/plan.md": "words\n"})
    opened = Store.at(store)
    opened.repository.run("add", "--all")
    opened.repository.run("commit", "--quiet", "--message=x")
    found = moved(verified(store, gather(opened)))
    made = proposal(opened, opened.content("ops/a.md"), found, NOW)
    assert made is not None
    assert made.text == "See [the plan](../old/plan.md) and plan.md.\n"


def test_an_edit_takes_its_own_reason_along_and_no_other(store: Path, harbor: Path) -> None:
    head = ("---\nname: a\nmetadata:\n  unverified:\n    - I doubt it\n    - \"`ops/rotate.py` not "
            "found, checked 2026-11-28 (moved to `tools/rotate.py`?)\"\n---\n\n")  # fmt: skip
    put(store, {"a.md": f"{head}`ops/rotate.py`\n"})
    opened = Store.at(store)
    found = moved(verified(store, gather(opened, [harbor])))
    made = proposal(opened, opened.content("a.md"), found, NOW)
    assert made is not None
    memory = parse("a.md", made.text.encode())[0]
    assert memory.reasons("unverified") == ("I doubt it",)
    assert memory.body.strip() == "`tools/rotate.py`"


def test_a_reason_stays_as_long_as_the_memory_says_the_old_path(store: Path, harbor: Path) -> None:
    reason = "`ops/rotate.py` not found, checked 2026-11-28 (moved to `tools/rotate.py`?)"
    put(
        store,
        {
            "a.md": f'---\nname: a\nmetadata:\n  unverified: "{reason}"\n---\n\n'
            "See `ops/rotate.py`.\n\nops/rotate.py calls ops/rotate.py again.\n"
        },
    )
    opened = Store.at(store)
    found = moved(verified(store, gather(opened, [harbor])))
    made = proposal(opened, opened.content("a.md"), found, NOW)
    assert made is not None
    assert "See `tools/rotate.py`." in made.text
    assert parse("a.md", made.text.encode())[0].reasons("unverified") == (reason,)


def test_the_words_of_an_edit_stand_in_the_memory_as_it_is(store: Path, harbor: Path) -> None:
    put(store, {"a.md": "Run `ops/rotate.py` first.\n"})
    opened = Store.at(store)
    found = moved(verified(store, gather(opened, [harbor])))
    made = proposal(opened, opened.content("a.md"), found, NOW)
    assert made is not None
    said = {one.guard: one.passed for one in judged(opened, made).judgements}
    assert said["quoted"]


def test_a_store_that_is_not_trusted_is_why_nothing_is_known(store: Path, harbor: Path) -> None:
    put(store, {"a.md": "Run `ops/rotate.py` first.\n"})
    (one,) = verified(store, gather(Store.at(store), [harbor], is_trusted=False))
    assert "not trusted" in one.standing.why


def test_what_a_memory_says_that_it_is_about() -> None:
    for text, about in (
        ("scope:\n    project: github.com/ferry/harbor\n    branch: x", "github.com/ferry/harbor"),
        ("repository: ferry/harbor", "ferry/harbor"),
        ("type: project", ""),
        ("scope: everything", ""),
    ):
        memory = parse("a.md", f"---\nmetadata:\n  {text}\n---\nx\n".encode())[0]
        assert project_of(memory) == about


def test_a_reading_is_of_the_very_bytes(store: Path) -> None:
    put(store, {"a.md": "`src/app.py`\r\nand `ops/two.py`\r\n"})
    roots = gather(Store.at(store))
    (one,) = readings([("a.md", Store.at(store).content("a.md"))], roots)
    assert isinstance(one, Reading)
    assert [claim.line for claim in one.claims] == [1, 2]
    assert Verdict("pending") is Verdict.PENDING
