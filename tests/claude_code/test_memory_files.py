"""Memories that memgit writes and Claude Code edits: the host changes its stamp alone."""

import re
from datetime import UTC, datetime
from pathlib import Path

from memgit.domain.memory import Memory, parse, render

from .cli import Claude
from .replies import tool_use

DESCRIPTIONS = [
    "Fix: use X", "it's \"quoted\"", "a #b, [c]", "yes", "1.10", "12:30", "2026-05-03", "- x", "x:",
    "日本語: の説明", "ok 👍 © 2026", "a\u00a0b\tc", "a\\b", "~", "<x>", "`x`", "...",
    "word: " * 80 + "end",
]  # fmt: skip


def test_an_edit_changes_the_stamp_alone(claude: Claude, tmp_path: Path) -> None:
    folder = tmp_path / "memories"
    folder.mkdir()
    claude.write_settings({"autoMemoryDirectory": str(folder)})
    written: dict[Path, str] = {}
    replies = []
    for number, about in enumerate(DESCRIPTIONS):
        memory = Memory(
            f"m{number}.md", f"m{number}", about, "feedback", "\nFirst words.\n\n本文\n",
            {"topics": [about, "plain"], "claims": [{"kind": "path", "text": about}],
             "kept": "3 of 5", "originSessionId": "61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb",
             "modified": datetime(2026, 5, 3, tzinfo=UTC).isoformat()},
        )  # fmt: skip
        file = folder / memory.path
        file.write_bytes(render(memory))
        written[file] = file.read_text("utf-8")
        change = {"old_string": "First words.", "new_string": "Other words."}
        replies += [
            tool_use("Read", file_path=str(file)),
            tool_use("Edit", file_path=str(file), **change),
        ]
    claude.api.script(*replies, "Done.")
    assert claude.run("Change the words.").answer == "Done."
    for file, before in written.items():
        after = file.read_text("utf-8")
        expected = before.replace("First words.", "Other words.")
        assert without_stamp(after) == without_stamp(expected)
        assert after != expected
        memory, faults = parse(file.name, file.read_bytes())
        assert faults == []
        assert render(memory).decode() == after


def without_stamp(text: str) -> str:
    return re.sub(r"(?m)^  modified: .*\n", "", text)
