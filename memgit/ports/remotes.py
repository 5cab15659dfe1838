"""What other clones are reached through: fetch and push of one branch, with a bound on the time.

The one rule: nothing here forces, asks a person, runs one of his hooks, or waits without an end.
"""

import os
import re
import selectors
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memgit.errors import StoreError
from memgit.ports.git import Repository
from memgit.ports.git_process import talking
from memgit.ports.git_settings import ENVIRONMENT, QUIET
from memgit.ports.refusal import first_line, refusal

if TYPE_CHECKING:
    import subprocess

IDLE = 60.0
"""Seconds after which a server that says nothing is given up."""

SLOW = 5.0
"""Seconds after which a person is told how far it is."""

STALE = 4.0
"""Seconds after which a lock on a ref or the settings is taken for one that a killed git left."""

Told = Callable[[str], None]
"""Takes one line of talk for the person."""

_SILENT = {"GIT_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=15"
_PLAIN = ("-c", "push.gpgSign=false", "-c", "push.followTags=false", "-c",
          "push.recurseSubmodules=no", "-c", "fetch.recurseSubmodules=no", "-c",
          "fetch.prune=false", "-c", "credential.interactive=false",
          "-c", "core.filesRefLockTimeout=2000")  # fmt: skip

_TAKEN = ("fetch first", "non-fast-forward", "stale info", "cannot lock ref", "already exists",
          "failed to update ref", "incorrect old value", "but expected")  # fmt: skip
_BROKEN = ("hung up", "RPC failed", "early EOF", "unexpected disconnect", "HTTP 50")
_DENIED = ("could not read Username", "could not read Password", "Authentication failed",
           "terminal prompts disabled", "Permission denied", "Host key verification failed",
           "error: 401", "error: 403", "access denied")  # fmt: skip
_UNREACHED = ("Could not resolve", "Connection refused", "Connection timed out", "unable to access",
              "Could not read from remote", "does not appear to be a git", "not found",
              "unable to connect", "Network is unreachable")  # fmt: skip
_LOCK = re.compile(r"'([^']+\.lock)'")


class Interrupted(StoreError):
    """The talk with the server broke off: whether it did anything has to be looked up."""


def remotes(repository: Repository) -> list[str]:
    """The names of the remotes."""
    return repository.run("remote").split()


def tracking(remote: str, branch: str) -> str:
    """The ref in which a remote's branch is kept here."""
    return f"refs/remotes/{remote}/{branch}"


def fetch(repository: Repository, remote: str, branch: str, told: Told) -> str | None:
    """The commit of the remote's branch, fetched; None where it has no such branch yet."""
    ref = tracking(remote, branch)
    status, _, err = _talk(
        repository, told, "fetch", "--no-tags", "--no-write-fetch-head", "--progress", remote,
        f"+refs/heads/{branch}:{ref}",
    )  # fmt: skip
    if status and "couldn't find remote ref" in err:
        return None
    if status:
        raise _fault(remote, "fetch", err)
    return repository.run("rev-parse", "--verify", f"{ref}^{{commit}}")


def push(repository: Repository, remote: str, commit: str, branch: str, told: Told) -> bool:
    """Give the remote's branch this commit; False where it has others by now. Never forces."""
    status, out, err = _talk(
        repository, told, "push", "--porcelain", "--no-verify", "--progress", remote,
        f"{commit}:refs/heads/{branch}",
    )  # fmt: skip
    if status == 0:
        return True
    refused = next((line for line in out.splitlines() if line.startswith("!")), "")
    if any(word in refused for word in _TAKEN):
        return False
    if refused:
        why = refused.rpartition("\t")[2]
        said = [line.removeprefix("remote:").strip() for line in err.splitlines()
                if line.startswith("remote:")]  # fmt: skip
        raise StoreError(
            f"{remote} refuses a push to {branch}: {next(filter(None, said), why)}",
            f"your commits are here and safe; where {branch} is protected, push them to a branch "
            f"of their own and open a pull request: "
            f"git -C {repository.root} push {remote} HEAD:refs/heads/NAME",
        )
    raise _fault(remote, "push", err)


def clear_stale_locks(repository: Repository, refs: list[str]) -> None:
    """Take away what a killed git left locked. Git holds each of these for milliseconds."""
    for name in (*refs, "packed-refs", "config", "shallow"):
        lock = repository.common_dir / f"{name}.lock"
        with suppress(OSError):
            while lock.exists():
                if time.time() - lock.stat().st_mtime > STALE:
                    lock.unlink(missing_ok=True)
                else:
                    time.sleep(0.1)


def _talk(repository: Repository, told: Told, *arguments: str) -> tuple[int, str, str]:
    """Run git against a server: (exit code, output, errors). Ends it where nothing comes."""
    with talking(
        repository.root, (*QUIET, *_PLAIN, *arguments), environment=_environment(repository)
    ) as process:
        try:
            out, err = _heard(process, arguments[0], told)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)  # so that git takes its locks along
            raise
        return process.wait(), out, err


def _heard(process: "subprocess.Popen[bytes]", what: str, told: Told) -> tuple[str, str]:
    """All that git says, told to the person now and then."""
    texts: dict[str, bytearray] = {"out": bytearray(), "err": bytearray()}
    next_word = time.monotonic() + SLOW
    with selectors.DefaultSelector() as waiting, process.stdout as out, process.stderr as err:  # type: ignore[union-attr]
        waiting.register(out, selectors.EVENT_READ, "out")
        waiting.register(err, selectors.EVENT_READ, "err")
        while waiting.get_map():
            ready = waiting.select(IDLE)
            if not ready:
                raise StoreError(
                    f"git {what}: no answer for {IDLE:.0f} s",
                    "nothing was changed; try again when the server can be reached",
                )
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    waiting.unregister(key.fileobj)
                texts[key.data] += data
            if time.monotonic() > next_word:
                next_word += SLOW
                last = texts["err"].replace(b"\r", b"\n").strip().rpartition(b"\n")[2]
                told(f"{what}: {last.decode('utf-8', 'replace') or 'waiting for the server'}")
    said = (text.decode("utf-8", "replace") for text in texts.values())
    return next(said), next(said)


def _environment(repository: Repository) -> dict[str, str]:
    env = {**ENVIRONMENT, **_SILENT}
    own = {"GIT_SSH", "GIT_SSH_COMMAND"} & set(os.environ) or repository.config("core.sshCommand")
    return env if own else {**env, "GIT_SSH_COMMAND": _SSH}


def _fault(remote: str, command: str, said: str) -> StoreError:
    """Why the server could not be talked to, in one line with a hint."""
    line = _without_secrets(first_line(said))
    if any(word in said for word in _DENIED):
        return StoreError(
            f"{remote} does not let you in: {line}",
            f"nothing was changed; log in once with git itself: git {command} {remote}",
        )
    if "File exists" in said and (lock := _LOCK.search(said)):
        return Interrupted(f"{lock[1]}: another git process is at work", "try again")
    if any(word in said for word in _BROKEN):
        return Interrupted(f"{remote} broke off: {line}", "nothing was lost; try again")
    if any(word in said for word in _UNREACHED):
        return StoreError(
            f"{remote} cannot be reached: {line}",
            "nothing was changed; `git remote -v` tells where it is, and memgit works without it",
        )
    return refusal(Path(remote), command, said)


def _without_secrets(text: str) -> str:
    """Addresses without the name and password in them."""
    return re.sub(r"(\w+://)[^/@\s]+@", r"\1", text)
