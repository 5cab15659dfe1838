"""What git says when it refuses, which may fill a screen, as one line with a hint.

The one rule: the person learns what is wrong, where, and what to do next.
"""

from pathlib import Path

from memgit.errors import StoreError

_KNOWN = (
    (("dubious ownership",), "it belongs to another user, so git does not open it",
     "if you trust it: git config --global --add safe.directory {root}"),
    (("Please tell me who you are", "empty ident name", "unable to auto-detect email"),
     "git does not know your name and e-mail, which a commit needs",
     "git config --global user.name NAME && git config --global user.email ADDRESS"),
    (("No space left on device", "Out of diskspace", "Disk quota exceeded"), "the disk is full",
     "make room, then try again; nothing was changed"),
    (("Read-only file system", "Permission denied", "insufficient permission"),
     "it cannot be written to", "check the rights of {root}/.git; nothing was changed"),
    (("File exists",), "another git process is at work in it",
     "wait for it to end, then try again; nothing was changed"),
)  # fmt: skip
"""(words that git uses, what they mean, what to do)."""


def refusal(root: Path, command: str, said: str) -> StoreError:
    """The fault to raise where `git COMMAND` failed in the repository at `root`."""
    for words, message, hint in _KNOWN:
        if any(word in said for word in words):
            return StoreError(f"{root}: {message}", hint.format(root=root))
    return StoreError(
        f"git {command}: {first_line(said)}",
        f"see what `git -C {root} status` says; nothing was changed",
    )


def first_line(said: str) -> str:
    """The line of git's talk that tells what is wrong, without its own prefix."""
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it failed"]
    told = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0])
    return told.removeprefix("fatal:").removeprefix("error:").strip()
