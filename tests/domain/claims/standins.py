"""Stand-ins for the programs of other services: they answer as the real ones document.

The one rule: each notes how it was called and what it was given, so that a test can see that
nothing else ran.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

_PROGRAM = """#!{python} -IS
import json, os, sys
here = {here!r}
told = json.load(open(os.path.join(here, {name!r} + ".json")))
call = {{"program": {name!r}, "words": sys.argv[1:], "variables": sorted(os.environ),
         "folder": os.getcwd()}}
with open(os.path.join(here, "calls.jsonl"), "a") as log:
    log.write(json.dumps(call) + "\\n")
status, out, err = told.get(" ".join(sys.argv[1:]), told.get("*", [2, "", "unknown command"]))
if status == "hang":
    import time
    time.sleep(60)
if status == "flood":
    while True:
        sys.stdout.write("x" * 65536)
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(status)
"""

Answers = Mapping[str, tuple[int | str, str, str]]

LOGGED_OUT = {
    "gh": (4, "", "To get started with GitHub CLI, please run:  gh auth login\n"),
    "glab": (1, "", "ERROR: GET https://gitlab.com/api/v4: 401 {message: 401 Unauthorized}\n"),
    "doppler": (1, "", "Unable to fetch projects\nDoppler Error: you must provide a token\n"),
    "gcloud": (1, "", "ERROR: (gcloud.compute.instances.list) You do not currently have an active "
               "account selected.\n"),
    "aws": (253, "", "Unable to locate credentials. You can configure credentials by running "
            '"aws configure".\n'),
}  # fmt: skip
RATE_LIMITED = {
    "gh": (1, "", "GraphQL: API rate limit already exceeded for user ID 1.\n"),
    "glab": (1, "", "ERROR: GET https://gitlab.com/api/v4: 429 Too Many Requests\n"),
    "doppler": (1, "", "Unable to fetch projects\nDoppler Error: Too many requests\n"),
    "gcloud": (1, "", "ERROR: (gcloud.compute.instances.list) Quota exceeded for quota metric\n"),
    "aws": (254, "", "An error occurred (RequestLimitExceeded) when calling the DescribeInstances "
            "operation: Request limit exceeded.\n"),
}  # fmt: skip
OFFLINE = {
    "gh": (1, "", "error connecting to api.github.com\ncheck your internet connection\n"),
    "glab": (1, "", "ERROR: dial tcp: lookup gitlab.com: no such host\n"),
    "doppler": (1, "", 'Doppler Error: Get "https://api.doppler.com": EOF\n'),
    "gcloud": (1, "", "ERROR: gcloud crashed (TransportError): Unable to find the server\n"),
    "aws": (255, "", 'Could not connect to the endpoint URL: "https://ec2.amazonaws.com/"\n'),
}


class StandIns:
    """A folder of programs that is the whole PATH, but for git and the interpreter's own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("memgit.ports.shell._given_up", {})
        self.folder = folder
        self.folder.mkdir(exist_ok=True)
        import shutil

        git = Path(shutil.which("git") or "/usr/bin/git")
        (self.folder / "git").symlink_to(git)
        monkeypatch.setenv("PATH", str(folder))

    def put(self, program: str, answers: Answers) -> None:
        """Install a program that answers so; the words `*` answer all others."""
        (self.folder / f"{program}.json").write_text(json.dumps(answers))
        file = self.folder / program
        file.write_text(_PROGRAM.format(python=sys.executable, here=str(self.folder), name=program))
        file.chmod(0o755)

    @property
    def calls(self) -> list[dict[str, object]]:
        """How they were called."""
        log = self.folder / "calls.jsonl"
        return [json.loads(row) for row in log.read_text().splitlines()] if log.exists() else []
