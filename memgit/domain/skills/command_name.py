"""What a simple command is called: its program and its verbs, without what one session gave to it.

The one rule: words that say what is done are kept, words that say to what are not.
"""

import re
from itertools import dropwhile
from pathlib import PurePosixPath

from memgit.domain.skills.shell_line import Command
from memgit.domain.skills.vocabulary import words as known

ACTS, LOOKS = "acts", "looks"
"""What a command is for: it does something, or it only looks."""

SCRATCH = "/tmp/<bin>"  # noqa: S108 - a name, and no path
"""The name of every program that was only built to be tried."""

_VERB = re.compile(r"[a-z][a-z0-9]*(?:[:._-][a-z0-9]+)*\Z")
_TASK = re.compile(r"[A-Za-z]\w*(?:[:._-]\w+)*\Z", re.ASCII)
"""What a project calls a task of its own, whatever it looks like: `release-all` is no id there."""

_PROGRAM = re.compile(r"(?!\d)[\w@.\[:+-]+\Z")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_HEXADECIMAL = re.compile(r"[0-9a-f]{7,}\Z")
_ID = re.compile(r"[a-z]+-[a-z0-9]*\d[a-z0-9.]*\Z|[a-z]+-[a-z0-9]{3}(?:\.\d+)*\Z")

_RANGE = re.compile(r"\A[\w/@{}~^-]+\.\.\.?(?:HEAD)?\Z")
"""What a branch has beyond its base: another thing to look at than one's own work."""


def name_of(command: Command) -> tuple[str, str] | None:
    """(name, kind) of a simple command; None where it only assigns, or has no name of its own."""
    runner, words = _unwrapped([word.text for word in command.words])
    if not words:
        return None
    program = PurePosixPath(words[0]).name
    if not _PROGRAM.match(program) or words[0].startswith(("$", "-")):
        return None
    if words[0].startswith(tuple(known("scratch"))):
        return SCRATCH, ACTS
    if program in known("looking"):
        return program, LOOKS
    if program.startswith("python") and words[1:2] == ["-m"] and len(words) > 2:
        return " ".join((*runner, "python -m", words[2])), ACTS
    verb = _verb(program, words[1:])
    if program == "git" and verb[:1] in (("diff",), ("log",)) and any(map(_RANGE.search, words)):
        return f"git {verb[0]} <base>..HEAD", LOOKS
    name = " ".join((*runner, program, *verb))
    if name == "gh api" and known("sends").intersection(words):
        return "gh api -f", ACTS
    return name, _kind(program, verb, words)


def _unwrapped(words: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """(what runs the command in an environment, the words of the command itself)."""
    runner: tuple[str, ...] = ()
    while words:
        if _ASSIGNED.match(words[0]):
            words = words[1:]
        elif words[0] in known("wrappers"):
            takes = int(words[0] == "timeout")
            words = list(dropwhile(_is_option, words[1:]))[takes:]
        elif not runner and (found := _runner(words)):
            runner, words = found, _without_options(words[len(found) :])
        else:
            break
    return runner, words


def _kind(program: str, verb: tuple[str, ...], words: list[str]) -> str:
    if {"--help", "-h", "--version"} & set(words):
        return LOOKS
    if verb and program == "git" and verb[0] in known("looking verbs of git"):
        return LOOKS
    if program in known("nested"):
        return ACTS  # it asks another machine: nobody does that by habit
    if verb and verb[-1] in known("looking verbs"):
        return LOOKS
    return ACTS


def _runner(words: list[str]) -> tuple[str, ...]:
    both = ".".join(words[:2])
    if both in known("runners"):
        return tuple(words[:2])
    return tuple(words[:1]) if words[0] in known("runners") else ()


def _verb(program: str, words: list[str]) -> tuple[str, ...]:
    """The words of a command that say what it does, as far as its program has such words."""
    if program in known("one word") or "/" in program or "." in program:
        return ()
    found: list[str] = []
    rest = _without_options(words)
    if program in known("task runners"):
        rest = list(dropwhile(_ASSIGNED.match, rest))
    while rest and len(found) < 3 and _is_verb(rest[0], ".".join((program, *found))):
        found.append(rest[0])
        deeper = len(found) == 1 and (
            f"{program}.{found[0]}" in known("two words")
            or (program in known("nested") and found[0] != "api")
        )
        if not deeper:
            break
        rest = _without_options(rest[1:])
    return tuple(found)


def _is_verb(word: str, behind: str) -> bool:
    if _HEXADECIMAL.match(word):
        return False
    if behind in known("task runners"):
        return bool(_TASK.match(word))
    return bool(_VERB.match(word)) and not _ID.match(word)


def _is_option(word: str) -> bool:
    return word.startswith("-")


def _without_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-") and words[0] not in ("-", "--"):
        words = words[2:] if words[0] in known("valued") else words[1:]
    return words
