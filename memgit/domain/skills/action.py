"""An action: one thing that an agent did, told so that the same thing in another session is equal.

The one rule: what an action is called depends on its own text alone: no path, number, id or quoted
word of one session is a part of it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from memgit.domain.skills.command_name import ACTS, LOOKS, name_of
from memgit.domain.skills.shell_line import PIPE, commands
from memgit.domain.skills.vocabulary import words
from memgit.domain.transcripts.turns import Step
from memgit.domain.transcripts.words import TURNED_DOWN

EDITS = "edits"
"""What an action is for where it changes a file by hand; else it acts, or it only looks."""

ASKS = ("gh pr view", "gh pr diff", "gh api", "gh run view", "gh issue view", "glab mr view")
"""Actions that only fetch what somebody else said: what they are for comes after them."""

LONGEST = 200
"""Characters of a complaint that are kept."""

WORDLESS = "it failed"
"""The complaint of a call that failed and said nothing."""

PLAN = "write plans/<name>.md"


@dataclass(frozen=True)
class Action:
    """One thing that was done. `name` is what makes two of them the same, `text` what was typed.

    `record` is the uuid of the record that holds it, `joined` how it hangs on the one before it in
    the same line; `failed` tells that its call failed, `why` what was said then.
    """

    name: str
    kind: str
    text: str
    record: str = ""
    failed: bool = False
    why: str = ""
    joined: str = ""


def actions(step: Step) -> Iterator[Action]:
    """What one call of a tool did, in order; nothing for bookkeeping, and for plain words."""
    if not step.tool or step.tool in words("bookkeeping"):
        return
    is_plan = step.tool == "ExitPlanMode"
    if step.failed and step.result.startswith(TURNED_DOWN) and not is_plan:
        return  # a person did not let it be done
    why = complaint(step)
    if step.tool == "Bash":
        yield from _of_shell(step, why)
        return
    name, kind, text = _of_tool(step.tool, step.input)
    # A plan that a person sends back has been answered, which is what it was for.
    failed = step.failed and not is_plan
    yield Action(name, kind, text, step.id, failed, why)


def complaint(step: Step) -> str:
    """What a call that failed said, in one line of at most LONGEST characters; "" where it did not.

    A pipe hides an exit code, so that what the programs themselves printed counts too.
    """
    found = _COMPLAINTS.search(step.result) if step.failed or step.tool == "Bash" else None
    if not (found or step.failed):
        return ""
    told = step.result[found.start() :] if found else _EXIT_CODE.sub("", step.result)
    return cut(" ".join(told[:400].split()), LONGEST) or WORDLESS


def cut(text: str, longest: int) -> str:
    """The beginning of a line, up to the end of a word where there is one."""
    if len(text) <= longest:
        return text
    whole = text[: longest + 1].rpartition(" ")[0]
    return whole if len(whole) > longest // 2 else text[:longest]


_EXIT_CODE = re.compile(r"\A\s*(?:Error: )?Exit code \d+\s*")

_COMPLAINTS = re.compile(
    r"^(?:--- FAIL|FAIL\b|FAILED\b|fatal: |error: |error\[|Error: |ERROR\b|CONFLICT |"
    r"Traceback \(most|npm ERR!|\[\w+\] ERROR|.*\btask failed\b|"
    r".*\b[1-9]\d* (?:failed|failures|errors?)\b)",
    re.MULTILINE,
)


def _of_tool(tool: str, given: Mapping[str, Any]) -> tuple[str, str, str]:
    """(name, kind, text) of a call of a tool other than the shell."""
    if tool in words("editing tools"):
        path = str(given.get("file_path") or given.get("notebook_path") or "")
        pure = PurePosixPath(path)
        if pure.suffix == ".md" and ("plans" in pure.parts or pure.stem.lower() == "plan"):
            return PLAN, ACTS, f"{tool} {pure.name}"
        return f"edit {_kind_of_file(pure)}", EDITS, f"{tool} {pure.name}"
    if tool in words("looking tools"):
        return tool.lower(), LOOKS, tool
    if tool in ("Task", "Agent"):
        kind = str(given.get("subagent_type") or "agent")
        short = kind.rpartition(":")[2].lower()
        looks = short in ("explore", "plan", "general-purpose", "agent")
        short = "reviewer" if "review" in kind.lower() else short
        return f"Task(subagent: {short})", LOOKS if looks else ACTS, f"{tool}({kind})"
    if tool == "Skill":
        skill = str(given.get("skill") or given.get("command") or "")
        return f"Skill({skill})", ACTS, f"Skill({skill})"
    if tool == "ExitPlanMode":
        return tool, ACTS, tool
    return tool, ACTS, tool


def _kind_of_file(path: PurePosixPath) -> str:
    return f"*{path.suffix}" if path.suffix else "a file"


def _of_shell(step: Step, why: str) -> Iterator[Action]:
    named = ((command, name_of(command)) for command in commands(_line(step)))
    # A look behind a pipe is a filter of what came before it.
    found = [(command, *told) for command, told in named
             if told and not (command.after == PIPE and told[1] == LOOKS)]  # fmt: skip
    acted = [place for place, (_, _, kind) in enumerate(found) if kind == ACTS]
    for place, (command, name, kind) in enumerate(found):
        # What failed in a line is what it came to last: it would not have come there otherwise.
        failed = bool(why) and place == (acted[-1] if acted else len(found) - 1)
        told = why if failed else ""
        yield Action(name, kind, command.text[:400], step.id, failed, told, command.after)


def _line(step: Step) -> str:
    line = step.input.get("command")
    return line if isinstance(line, str) else ""
