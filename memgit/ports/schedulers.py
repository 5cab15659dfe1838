"""The schedulers of the machine: a person's crontab, and the programs that talk to the others.

The one rule: a crontab is replaced whole, and only by what was made from what it just held.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from memgit.errors import StoreError
from memgit.ports.processes import run


def has_cron() -> bool:
    """Whether there are crontabs here."""
    return bool(shutil.which("crontab"))


def read_crontab() -> str:
    """The person's crontab; "" where there is none. Raises StoreError where it cannot be read."""
    if not has_cron():
        raise StoreError(
            "crontab is not there", "install cron, or name another one: --with systemd"
        )
    ended = run(["crontab", "-l"])
    if ended.status == 0:
        return ended.out.decode("utf-8", "surrogateescape")
    said = ended.err.decode("utf-8", "replace").strip()
    if ended.status == 1 and "no crontab" in said.lower():
        return ""
    raise StoreError(f"crontab -l: {said or ended.stopped or ended.status}", "nothing was changed")


def write_crontab(before: str, after: str) -> None:
    """Put a crontab in place of what was read; an empty one is none. Raises StoreError."""
    if read_crontab() != before:
        raise StoreError("the crontab was changed just now", "run this again")
    words = ["crontab", "-"] if after else ["crontab", "-r"]
    ended = run(words, stdin=after.encode("utf-8", "surrogateescape"))
    if ended.status != 0:
        said = ended.err.decode("utf-8", "replace").strip()
        raise StoreError(f"{' '.join(words)}: {said or ended.stopped}", "nothing was changed")


def tell(words: Sequence[str]) -> bool:
    """Run a scheduler's own program; whether it did what was asked."""
    return bool(shutil.which(words[0])) and run(list(words)).status == 0


def has_systemd() -> bool:
    """Whether systemd runs this machine."""
    return Path("/run/systemd/system").is_dir() and bool(shutil.which("systemctl"))


def units_dir() -> Path:
    """Where a person's systemd units lie."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(base) / "systemd" / "user"


def agents_dir() -> Path:
    """Where a person's agents of launchd lie."""
    return Path(os.path.expanduser("~/Library/LaunchAgents"))
