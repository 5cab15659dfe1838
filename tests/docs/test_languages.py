"""The README says the same in both languages: the same sections, blocks, tables and links.

The one rule: what is typed and what is shown is the same to the letter, so one run proves both;
only comments and drawings are translated.
"""

import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Block, blocks

ENGLISH, JAPANESE = ROOT / "README.md", ROOT / "README.ja.md"


def prose(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "```", text, flags=re.MULTILINE | re.DOTALL)


def outline(page: Path) -> list[str]:
    """Headings by their depth, blocks, and tables by their rows and columns, in order."""
    found = []
    for line in prose(page).splitlines():
        if mark := re.match(r"#+ |```|\d+\. |- |\|", line):
            found.append(f"| {line.count('|')}" if mark[0] == "|" else mark[0])
    return found


def links(page: Path) -> list[str]:
    found = re.findall(r"\]\(([^)]+)\)", prose(page))
    return [re.sub(r"#[^a-z].*|^README.*", "", link) for link in found if not link.startswith("#")]


def told(page: Path) -> list[tuple[str, str, list[tuple[str, str | None, int]]]]:
    """Each console block without its comments."""

    def bare(block: Block) -> list[tuple[str, str | None, int]]:
        return [
            (re.sub(r"\s+# .*", "", one.typed), one.shown, one.status) for one in block.commands
        ]

    return [(block.kind, block.why, bare(block)) for block in blocks(page)]


@pytest.mark.parametrize("part", [outline, links, told])
def test_both_say_the_same(part: object) -> None:
    assert part(JAPANESE) == part(ENGLISH)  # type: ignore[operator]


def test_numbers_are_the_same() -> None:
    def numbers(page: Path) -> list[str]:
        rows = [line for line in prose(page).splitlines() if line.startswith("|")]
        return sorted(re.findall(r"(?<![\w#])\d*\.\d+|\b\d{3,}\b", " ".join(rows)))

    assert numbers(JAPANESE) == numbers(ENGLISH)
