"""How often a checkable value is stated and used again."""

import json
from pathlib import Path

import pytest

from memgit.domain.gates.scope import File
from memgit.domain.memory import Memory, render
from memgit.evaluation.reclaim.prevalence import of_memories, of_transcripts, values


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it costs $1,250 at 18:45 on 2026-03-02", {"$1250", "18:45", "2026-03-02"}),
        ("port 8420, version v1.10.2", {"8420", "v1.10.2"}),
        ("in 2026, 12 of them, and issue #4521", set()),
        ("src/a1234/b.py and x-123", set()),
        ("毎分６００回", {"600"}),
        ("", set()),
    ],
)
def test_values(text: str, found: set[str]) -> None:
    assert values(text) == found


def _session(folder: Path, name: str, *said: str) -> None:
    path = folder / "-shop" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    rows = [{"type": "user", "uuid": f"{name}-{n}", "sessionId": name, "cwd": "/shop",
             "timestamp": f"2026-03-02T09:0{n}:00Z",
             "message": {"role": "user", "content": text}}
            for n, text in enumerate(said)]  # fmt: skip
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def test_sessions_in_which_a_value_comes_again(tmp_path: Path) -> None:
    _session(tmp_path, "aaaa", "the limit is 600 a minute", "so set it to 600")
    _session(tmp_path, "bbbb", "the limit is 600 a minute", "thanks, all good")
    _session(tmp_path, "cccc", "hello there", "thanks, all good")
    found = of_transcripts(tmp_path)
    assert found is not None
    assert (found.n, found.with_value, found.used_again) == (3, 2, 1)
    assert found.examples == ("600",)
    (tmp_path / "nothing").mkdir()
    assert of_transcripts(tmp_path / "nothing") is None


def test_memories_that_are_brittle(tmp_path: Path) -> None:
    def file(name: str, body: str, **metadata: str) -> File:
        memory = Memory(f"{name}.md", name, "x", "project", body).with_metadata(**metadata)
        return File(memory.path, render(memory))

    made = of_memories([
        file("a", "The import takes 41 minutes and 600 rows.\n", origin="agent"),
        file("b", "The import reads 600 rows, see `import.toml`.\n", origin="agent"),
        file("c", "Nothing to see.\n", origin="agent"),
        file("d", "The import takes 41 minutes.\n", origin="user"),
    ])  # fmt: skip
    assert made["brittle_memories"] == ["a.md"]
    assert made["without_a_source_beside"]["value"] == 0.5
    assert made["stated_and_used_again"]["value"] == 0.5
    assert made["verdicts"]["source missing"] == 2
