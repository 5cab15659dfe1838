"""Every link of the docs leads to a file, and every anchor to a heading of it.

The one rule: what is linked outside of the project is looked at by nobody's test.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "hooks" / "README.md"])


def unfenced(text: str) -> str:
    """The text without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """The anchors that a forge gives the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", unfenced(path.read_text(encoding="utf-8")), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in titles)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", unfenced(page.read_text(encoding="utf-8"))):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        if not file.is_file() or (anchor and anchor not in anchors(file)):
            lost.append(target)
    assert lost == []


def test_the_readme_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\((docs/[^)#]+)", (ROOT / "README.md").read_text("utf-8")))
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")} <= linked
