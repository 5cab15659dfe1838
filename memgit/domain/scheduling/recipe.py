"""The daily sweep as cron, systemd and launchd want it: the shipped templates, filled in.

The one rule: each of them quotes in its own way, and a path is quoted so that it stays one word, or
refused; nothing of it is ever read as a command.
"""

import hashlib
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from memgit.errors import UsageError
from memgit.ports.interpreter import full
from memgit.ports.shipped import PACKAGE, shipped

PROGRAMS = ("git", "claude")
"""What a sweep starts: a scheduler's own PATH may not lead there."""

USUAL = ("/usr/local/bin", "/usr/bin", "/bin")


@dataclass(frozen=True)
class Recipe:
    """One sweep a day, of the store at `store`, an absolute path, at `hour`:`minute`."""

    store: str
    hour: int
    minute: int

    @property
    def name(self) -> str:
        """What a scheduler calls it: the same for the same store, another for each other."""
        return f"memgit-sweep-{hashlib.sha256(self.store.encode()).hexdigest()[:8]}"

    @property
    def words(self) -> list[str]:
        """The command."""
        return [full(), "-P", str(PACKAGE / "__main__.py"), "--store", self.store, "sweep"]

    def crontab(self) -> str:
        """The lines of a crontab."""

        def quoted(text: str) -> str:
            return shlex.quote(text).replace("%", "\\%")  # which cron takes for a line end

        said = {"COMMAND": " ".join(map(quoted, self.words)), "PATH": quoted(_path())}
        return self._filled("crontab", said, str)

    def service(self) -> str:
        """The systemd unit that sweeps."""
        command = " ".join(_systemd(word, variables=True) for word in self.words)
        said = {"COMMAND": command, "PATH": _systemd(f"PATH={_path()}")}
        return self._filled("memgit-sweep.service", said, lambda text: text.replace("%", "%%"))

    def timer(self) -> str:
        """The systemd unit that says when."""
        return self._filled("memgit-sweep.timer", {}, lambda text: text.replace("%", "%%"))

    def plist(self) -> str:
        """The agent of launchd."""
        rows = "\n".join(f"    <string>{escape(word)}</string>" for word in self.words)
        return self._filled(
            "memgit-sweep.plist", {"COMMAND": rows, "PATH": escape(_path())}, escape
        )

    def _filled(self, template: str, said: Mapping[str, str], plain: Callable[[str], str]) -> str:
        """A template with its places filled; `plain` writes a text that is shown to people."""
        for text in (*self.words, _path()):
            if not text.isprintable():
                raise UsageError(
                    f"{text!a}: a path with such a character cannot stand in a schedule",
                    "rename the folder",
                )
        values = {
            "STORE": plain(self.store), "NAME": self.name,
            "HOUR": f"{self.hour:02}", "MINUTE": f"{self.minute:02}", **said,
        }  # fmt: skip
        text = (shipped("templates") / "schedules" / template).read_text("utf-8")
        return re.sub("@([A-Z]+)@", lambda found: values[found[1]], text)


def _path() -> str:
    """A PATH that leads to the programs that a sweep starts, as this PATH does."""
    found = [str(Path(place).parent) for name in PROGRAMS if (place := shutil.which(name))]
    return ":".join(dict.fromkeys((*found, str(Path(sys.executable).parent), *USUAL)))


def _systemd(text: str, variables: bool = False) -> str:
    """A word of systemd; where it looks for `variables`, a dollar is doubled."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{text.replace("$", "$$") if variables else text}"'
