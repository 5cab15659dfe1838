"""The forge that a remote is on, through its own command line: `gh` or `glab`, where installed.

The one rule: a fixed list of words, no shell, nothing asked. Texts go in files or as one word each,
and whatever goes wrong, the branch that was pushed is there and the person is told.
"""

import json
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memgit.ports.processes import run

LONGEST = 60.0
"""Seconds that a forge may take to answer."""

LARGEST = 60_000
"""Characters of a description that forges take."""

OPEN, MERGED, CLOSED = "open", "merged", "closed"

_QUIET = {
    "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1", "NO_PROMPT": "1",
    "GLAB_CHECK_UPDATE": "false", "PAGER": "cat", "GIT_TERMINAL_PROMPT": "0",
}  # fmt: skip
_HOST = re.compile(r"(?:\w+://)?(?:[^@/]*@)?([^/:]+(?::\d+)?)[:/]")
_URL = re.compile(r"https?://\S+")


@dataclass(frozen=True)
class Opened:
    """What came of opening a request: its address, or why there is none."""

    url: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Forge:
    """One forge's command line; `folder` is a repository of the remote that is meant."""

    program: str
    folder: Path

    def open(self, branch: str, base: str, title: str, body: Path) -> Opened:
        """Open a request to merge a branch that was pushed."""
        if self.program == "gh":
            words = ["gh", "pr", "create", "--head", branch, "--base", base, "--title", title,
                     "--body-file", str(body)]  # fmt: skip
        else:
            text = body.read_text(encoding="utf-8")[:LARGEST]
            words = ["glab", "mr", "create", "--source-branch", branch, "--target-branch", base,
                     "--title", title, "--description", text, "--yes"]  # fmt: skip
        status, out, err = self._said(words)
        found = _URL.search(out) or _URL.search(err)
        if status == 0 and found:
            return Opened(found[0].rstrip(".,)"))
        said = next(filter(None, (line.strip() for line in err.splitlines()[::-1])), "no answer")
        return Opened(fault=f"{self.program}: {said}")

    def state(self, branch: str) -> str:
        """`open`, `merged` or `closed`; "" where the forge does not say."""
        words = (
            ["gh", "pr", "view", branch, "--json", "state"]
            if self.program == "gh"
            else ["glab", "mr", "view", branch, "--output", "json"]
        )
        status, out, _ = self._said(words)
        with suppress(ValueError, AttributeError):
            told = str(json.loads(out).get("state", "")).lower() if status == 0 else ""
            return {"opened": OPEN, "locked": OPEN}.get(told, told)
        return ""

    def _said(self, words: list[str]) -> tuple[int | None, str, str]:
        ended = run(words, folder=self.folder, environment=_QUIET, longest=LONGEST)
        out, err = (text.decode("utf-8", "replace") for text in (ended.out, ended.err))
        return ended.status, out, ended.stopped or err


def forge_of(address: str, folder: Path) -> Forge | None:
    """The forge behind a remote's address whose command line is installed; None for a folder, and
    where none is.
    """
    host = host_of(address)
    installed = [name for name in ("gh", "glab") if shutil.which(name)]
    for name, word in _NAMES.items():
        if word in host:
            return Forge(name, folder) if name in installed else None
    for name in installed if host else ():
        words = [name, "auth", "status", "--hostname", host]
        if run(words, folder=folder, environment=_QUIET, longest=LONGEST).status == 0:
            return Forge(name, folder)
    return None


def host_of(address: str) -> str:
    """The host of a remote's address, with its port; "" for a folder of this machine."""
    if address.startswith(("/", ".", "~", "file:")):
        return ""
    found = _HOST.match(address)
    return found[1] if found else ""


_NAMES: Mapping[str, str] = {"gh": "github", "glab": "gitlab"}
"""Command line → the word by which the hosts of its forge are known."""
