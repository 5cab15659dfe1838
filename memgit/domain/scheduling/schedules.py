"""Where a recipe goes: into a crontab, or into files of systemd or launchd; and out again.

The one rule: a change is shown before it is made, only what is ours is touched, and a second run
changes nothing.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from memgit.domain.scheduling.recipe import Recipe
from memgit.ports import schedulers
from memgit.ports.settings_file import Edit, SettingsFile


@dataclass(frozen=True)
class Change:
    """What has to be done. `make` does it, and gives the commands that a person has to type still,
    where the scheduler did not listen.
    """

    where: str
    diff: str
    make: Callable[[], Sequence[str]]

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.diff)


def cron(recipe: Recipe, wanted: bool) -> Change:
    """Our lines in the person's crontab, or none of them."""
    before = schedulers.read_crontab()
    lines = recipe.crontab()
    mark = lines.partition("\n")[0]
    kept = _without(before, mark)
    if kept and not kept.endswith("\n"):
        kept += "\n"
    after = f"{kept}{lines}" if wanted else _without(before, mark)

    def make() -> Sequence[str]:
        schedulers.write_crontab(before, after)
        return ()

    return Change("the crontab", _diff("crontab", before, after), make)


def systemd(recipe: Recipe, wanted: bool) -> Change:
    """A service and its timer among the person's units."""
    folder, timer = schedulers.units_dir(), f"{recipe.name}.timer"
    edits = [
        _edit(
            SettingsFile(folder / f"{recipe.name}.service"), recipe.service() if wanted else None
        ),
        _edit(SettingsFile(folder / timer), recipe.timer() if wanted else None),
    ]
    reload = ("systemctl", "--user", "daemon-reload")
    before: list[tuple[str, ...]] = []
    after: list[tuple[str, ...]] = [reload]
    if wanted:
        after.append(("systemctl", "--user", "enable", "--now", timer))
    else:
        before.append(("systemctl", "--user", "disable", "--now", timer))
    return _of_files(str(folder / timer), edits, before, after)


def launchd(recipe: Recipe, wanted: bool) -> Change:
    """An agent among the person's own."""
    path = schedulers.agents_dir() / f"{recipe.name}.plist"
    edits = [_edit(SettingsFile(path), recipe.plist() if wanted else None)]
    domain = f"gui/{os.getuid()}"
    out = ("launchctl", "bootout", f"{domain}/{recipe.name}")
    into = [("launchctl", "bootstrap", domain, str(path))] if wanted else []
    return _of_files(str(path), edits, [] if wanted else [out], into)


SCHEDULERS: Mapping[str, Callable[[Recipe, bool], Change]] = {
    "cron": cron, "systemd": systemd, "launchd": launchd,
}  # fmt: skip
"""Name → what has to change so that a recipe is there, or is not."""


def usual() -> str:
    """The scheduler of this machine."""
    if sys.platform == "darwin":
        return "launchd"
    return "systemd" if schedulers.has_systemd() else "cron"


def there() -> list[str]:
    """Every scheduler that this machine may have."""
    return [name for name in SCHEDULERS if name != "cron" or schedulers.has_cron()]


def _of_files(
    where: str, edits: Sequence[Edit], before: Sequence[tuple[str, ...]],
    after: Sequence[tuple[str, ...]],
) -> Change:  # fmt: skip
    """Files to write or remove, and what the scheduler is told before and after that."""

    def make() -> Sequence[str]:
        heard = [words for words in before if not schedulers.tell(words)]
        for edit in edits:
            edit.make()
        heard += [words for words in after if not schedulers.tell(words)]
        return [" ".join(words) for words in heard]

    return Change(where, "".join(edit.diff() for edit in edits), make)


def _edit(file: SettingsFile, text: str | None) -> Edit:
    return Edit(file, file.read(), text.encode() if text is not None else None)


def _without(crontab: str, mark: str) -> str:
    """A crontab without our lines: the mark, and the one that follows it."""
    lines = crontab.splitlines(keepends=True)
    for place in reversed(range(len(lines))):
        if lines[place].rstrip("\n") == mark:
            del lines[place : place + 2]
    return "".join(lines)


def _diff(name: str, before: str, after: str) -> str:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(unified_diff(old, new, name, name))
