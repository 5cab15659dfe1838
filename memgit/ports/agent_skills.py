"""The skills that an agent has: where it looks for them, and what lies there.

The one rule: they are read as files and never run; a folder that cannot be read has none.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from memgit.ports.claude_code import config_dir

FILE = "SKILL.md"
LARGEST = 200_000
"""Bytes of a skill that are read."""

_OF_PLUGINS = ("plugins/*/*/skills", "plugins/*/*/*/skills", "plugins/*/*/*/*/skills")


def personal_folder() -> Path:
    """Where the skills of the person lie, for every project."""
    return config_dir() / "skills"


def installed(projects: Iterable[Path]) -> Iterator[tuple[str, Path, str]]:
    """(name, file, text) of each skill: of the person, of these projects, of plugins.

    A plugin's skill is called with the plugin's name before it, so that it takes no other's name.
    """
    own = [personal_folder(), *(folder / ".claude" / "skills" for folder in _above(projects))]
    for folder in dict.fromkeys(own):
        for name, file, text in _in(folder):
            yield name, file, text
    for pattern in _OF_PLUGINS:
        for folder in sorted(config_dir().glob(pattern)):
            for name, file, text in _in(folder):
                yield f"{folder.parent.name}:{name}", file, text


def _in(folder: Path) -> Iterator[tuple[str, Path, str]]:
    with suppress(OSError):
        for file in sorted(folder.glob(f"*/{FILE}")):
            with suppress(OSError), file.open("rb") as opened:
                yield file.parent.name, file, opened.read(LARGEST).decode("utf-8", "replace")


def _above(projects: Iterable[Path]) -> Iterator[Path]:
    """The projects, and the folders above each up to its repository's top."""
    for project in projects:
        for folder in (project, *project.parents):
            yield folder
            if (folder / ".git").exists() or folder == Path.home():
                break
