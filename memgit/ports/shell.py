"""The programs of other services that a person has installed: gh, glab, doppler, gcloud, aws.

The one rule: this is the only door to them. No shell, an argument list of our own with checked
words in fixed places, an environment of named variables only, a time limit, a limit on what they
may print; and a program is looked for where the person installs programs, never in a project.
"""

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.ports.processes import run

PATIENCE = 20.0
"""Seconds that a program may take."""

_EVERYONE = (
    "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR", "XDG_CONFIG_HOME",
    "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy",
)  # fmt: skip

_OWN = {
    "gh": ("GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN",
           "GH_CONFIG_DIR"),
    "glab": ("GITLAB_TOKEN", "GLAB_CONFIG_DIR"),
    "doppler": ("DOPPLER_TOKEN", "DOPPLER_CONFIG_DIR"),
    "gcloud": ("CLOUDSDK_CONFIG", "CLOUDSDK_ACTIVE_CONFIG_NAME", "CLOUDSDK_PYTHON",
               "GOOGLE_APPLICATION_CREDENTIALS"),
    "aws": ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
            "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_REGION", "AWS_DEFAULT_REGION"),
}  # fmt: skip
"""Program → the variables of the person's that it is given: how it is logged in."""

_QUIET = {
    "NO_COLOR": "1", "CLICOLOR": "0", "TERM": "dumb", "PAGER": "cat", "GH_PAGER": "cat",
    "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "GLAB_CHECK_UPDATE": "false",
    "NO_PROMPT": "1", "AWS_PAGER": "", "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
    "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "1", "DOPPLER_ENABLE_VERSION_CHECK": "false",
}  # fmt: skip
"""Nothing asks, nothing pages, nothing looks for a newer version of itself."""


_LIMITED = re.compile(r"(?i)rate limit|too many requests|RequestLimitExceeded|throttl")

_given_up: dict[str, str] = {}
"""Program → why it is not asked again by this process: it hung, or its service had enough."""


@dataclass(frozen=True)
class Told:
    """What a program said. `is_done` when it ended well; `fault` is why it said nothing of use."""

    out: str = ""
    err: str = ""
    status: int | None = None
    fault: str = ""

    @property
    def is_done(self) -> bool:
        """Whether it ran to its end and says that it went well."""
        return self.status == 0 and not self.fault

    @property
    def data(self) -> Any:
        """What it printed, as JSON; None where it is none."""
        try:
            return json.loads(self.out) if self.is_done else None
        except (ValueError, RecursionError):
            return None

    @property
    def why(self) -> str:
        """Why it is of no use, in one line."""
        if self.fault:
            return self.fault
        said = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        return said[0][:200] if said else f"ended with {self.status}"


def ask(program: str, *words: str) -> Told:
    """Run one of the programs that we know and tell what it said."""
    path = os.pathsep.join(_places())
    found = shutil.which(program, path=path)
    if program not in _OWN or found is None:
        return Told(fault=f"{program} is not installed")
    if why := _given_up.get(program):
        return Told(fault=f"{program} was not asked again: {why}")
    named = (*_EVERYONE, *_OWN[program])
    others = [name for name in os.environ if name not in named]
    ended = run([found, *words], folder=Path("/"), environment={"PATH": path, **_QUIET},
                longest=PATIENCE, without=others)  # fmt: skip
    out, err = (text.decode("utf-8", "replace") for text in (ended.out, ended.err))
    fault = f"{program} {ended.stopped}" if ended.stopped else ""
    told = Told(out, err, ended.status, fault)
    if fault or _LIMITED.search(err):
        _given_up.setdefault(program, told.why)
    return told


def is_installed(program: str) -> bool:
    """Whether a program of this name is on the person's PATH; it is not run."""
    return shutil.which(program, path=os.pathsep.join(_places())) is not None


def _places() -> list[str]:
    """The folders of PATH, but for those that mean wherever one stands."""
    return [one for one in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(one)]
