"""Gates on what a draft says of the world: sessions, paths, commands, other skills, memories.

The one rule: it is looked up here and now. What was true when it was drafted is no answer.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from memgit.domain.gates.register import shingles
from memgit.domain.skills.command_name import name_of
from memgit.domain.skills.counting import SESSIONS
from memgit.domain.skills.draft import STEPS, Draft
from memgit.domain.skills.gates.scene import Installed, Scene
from memgit.domain.skills.gates.tasks import missing, roots
from memgit.domain.skills.gates.text import taken
from memgit.domain.skills.shell_line import commands
from memgit.domain.skills.template import slotted
from memgit.domain.skills.vocabulary import words

Found = Iterator[tuple[int, str]]

ALIKE = 0.4
"""Of the runs of words of the shorter of two texts, those that are in both."""

SAME = 0.6
"""Of the pairs of steps of the shorter of two drafts, those that are in both."""

_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_BLOCK = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)^ {0,3}\1", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_BARE = re.compile(r"(?<![\w`/<:.@-])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]+\b")
_IN_WORDS = re.compile(_BARE.pattern, re.ASCII)
"""A path in plain words: in Japanese no space tells where it starts, and where it ends."""
_TOOL = re.compile(r"[A-Z][A-Za-z_]*(?:\(.*\))?\Z|write plans/<name>\.md\Z|edit\b")
_SHELL_WORDS = frozenset(("cd", "export", "source", ".", "set", "true", "false", "test", "[", ":"))


def counted(draft: Draft, scene: Scene) -> Found:
    """Fewer than three distinct sessions; or one that is known here, and did something else."""
    named = set(draft.sessions)
    if len(named) < SESSIONS:
        yield 1, f"it names {len(named)} sessions, not {SESSIONS} or more"
    found = scene.counted(draft).sessions
    strange = sorted(one for one in named if one in scene.sessions and one not in found)
    if strange:
        yield 1, f"session {strange[0]} did not do these steps"


def recounted(draft: Draft, scene: Scene) -> Found:
    """Fewer than three of its sessions in the index of this machine."""
    found = scene.counted(draft).sessions & set(draft.sessions)
    if len(found) < SESSIONS:
        yield 1, f"{len(found)} of the sessions that it names are counted here, not {SESSIONS}"


def failed(draft: Draft, scene: Scene) -> Found:
    """A failure of a session that it does not name, or that went well there."""
    given = draft.failure
    if not given.record:
        return
    if given.session not in draft.sessions:
        yield 1, "its failure is of a session that it does not name"
    if given.session not in scene.sessions:
        return
    calls = [call for deed in scene.sessions[given.session] for call in deed.calls
             if call.record == given.record]  # fmt: skip
    if not any(call.failed for call in calls):
        yield 1, f"no step of session {given.session[:8]} failed with the record that it names"
    elif not {call.name for call in calls} & set(draft.steps):
        yield 1, "what failed there is none of its steps"
    elif not any(not call.why or slotted(call.why) == given.said for call in calls if call.failed):
        yield 1, "what was said there is not what it tells"


def resolves(draft: Draft, scene: Scene) -> Found:
    """Commands whose program is not installed, tasks that no project of its has, and paths that are
    nowhere; each told once, where it stands first.
    """
    projects = scene.projects(draft)
    told: dict[str, int] = {}
    for line, what in _unresolved(draft, scene, projects):
        told.setdefault(what, line)
    yield from ((line, what) for what, line in told.items())


def _unresolved(draft: Draft, scene: Scene, projects: list[Path]) -> Found:
    known = roots(projects)
    for line, code in _codes(draft):
        if _TOOL.match(code.strip()):
            continue
        for command in commands(code):
            told = name_of(command)
            program = next((one for one in (told[0].split() if told else ())), "")
            if "<" in program or program in _SHELL_WORDS or not program:
                continue
            if not scene.resolves(program) and not _is_there(program, projects):
                yield line, f"no program {program} is installed"
            elif task := missing(told[0] if told else "", [w.text for w in command.words], known):
                yield line, f"{program} has no task {task} in the projects of its sessions"
    for line, path in _paths(draft):
        if not _is_there(path, projects):
            yield line, f"{path} is not there"


def built_in(draft: Draft, scene: Scene) -> Found:
    """A name that the agent on this machine has by itself, beyond those that every store knows."""
    if draft.name not in taken() and draft.name in scene.commands:
        yield 1, f"{draft.name} is a command or skill of the agent that is installed here"


def overlap(draft: Draft, scene: Scene) -> Found:
    """Another skill or draft that says the same already."""
    mine = shingles(draft.body)
    for one in scene.skills:
        theirs = shingles(one.text)
        both = len(mine & theirs) / max(1, min(len(mine), len(theirs)))
        if both >= ALIKE or _covers(one, draft):
            yield draft.line_of(STEPS), f"{one.name} has these steps already: extend {one.place}"
    for other in scene.drafts.values():
        if other.name != draft.name and _is_same(draft, other):
            yield draft.line_of(STEPS), f"the draft {other.name} has these steps too: keep one"


def _is_same(draft: Draft, other: Draft) -> bool:
    """Whether most of what follows what is the same in both; drafts share the template's words."""
    mine, theirs = set(pairwise(draft.steps)), set(pairwise(other.steps))
    return bool(mine) and len(mine & theirs) >= SAME * min(len(mine), len(theirs) or 1)


def retired(draft: Draft, scene: Scene) -> Found:
    """What a retired memory said, or its name."""
    bound = scene.retired()
    if not bound:
        return
    if bound.binds(draft.name):
        yield 1, f"{draft.name} is the name of a memory that was retired"
    for number, line in enumerate(draft.body.split("\n"), draft.body_line):
        plain = re.sub(r"^\s*(?:\d+[.)]|[-*>])\s*", "", line)
        if any(map(str.isalnum, plain)) and bound.binds("", plain):
            yield number, "this line is one of a memory that was retired"


def _covers(one: Installed, draft: Draft) -> bool:
    """Whether every step of a draft stands, as code, in an installed skill."""
    names = {told[0] for code in _SPAN.findall(one.text) + [b for _, b in _BLOCK.findall(one.text)]
             for command in commands(code) if (told := name_of(command))}  # fmt: skip
    steps = [step for step in draft.steps if not _TOOL.match(step)]
    return len(steps) > 1 and set(steps) <= names


def _codes(draft: Draft) -> Iterator[tuple[int, str]]:
    """(line, code) of every span and block of code."""
    for number, line in enumerate(draft.body.split("\n"), draft.body_line):
        yield from ((number, code) for code in _SPAN.findall(line))
    for block in _BLOCK.finditer(draft.body):
        yield draft.body_line + draft.body.count("\n", 0, block.start()), block[2]


def _paths(draft: Draft) -> Iterator[tuple[int, str]]:
    """(line, path) of every path that is given in full, in code, links or plain words."""
    for number, line in enumerate(draft.body.split("\n"), draft.body_line):
        found = [*_BARE.findall(" ".join(_SPAN.findall(line))), *_LINK.findall(line)]
        found += [path for path in _IN_WORDS.findall(_SPAN.sub(" ", line)) if "." in path[1:]]
        for path in dict.fromkeys(found):
            is_slot = "://" in path or path.startswith(("origin/", "#", *words("scratch")))
            if not is_slot and not re.search(r"\d\d\d\d-\d\d", path):
                yield number, path


def _is_there(path: str, projects: list[Path]) -> bool:
    try:
        whole = Path(path).expanduser()
    except RuntimeError:
        return False
    if whole.is_absolute():
        return whole.exists()
    return any((folder / whole).exists() for folder in projects)
