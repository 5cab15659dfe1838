"""The pages of verbs and settings say what the program says.

The one rule: `python docs/make.py` is what mends them.
"""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

from memgit.cli import VERBS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_make", DOCS / "make.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_are_in_step_with_the_program() -> None:
    made = maker().pages()
    there = {f"verbs/{path.name}" for path in (DOCS / "verbs").iterdir()} | {"settings.md"}
    stale = {
        name
        for name in there | made.keys()
        if name not in made
        or not (DOCS / name).is_file()
        or (DOCS / name).read_text() != made[name]
    }
    assert stale == set(), "run `python docs/make.py`"


def test_every_verb_is_told_of_by_hand_too() -> None:
    written = [DOCS.parent / "README.md", *DOCS.glob("*.md")]
    for pages in ([DOCS.parent / "CHANGELOG.md"], written):
        told = "".join(page.read_text(encoding="utf-8") for page in pages)
        assert [verb for verb in VERBS if not re.search(rf"(`|memgit ){verb}\b", told)] == []
