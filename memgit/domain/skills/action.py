"""An action: one thing that an agent did, told so that the same thing in another session is equal.

The one rule: what an action is called depends on its own text alone: no path, number, id or quoted
word of one session is a part of it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from memgit.domain.skills.shell_line import PIPE, Command, commands
from memgit.domain.transcripts.turns import Step

ACTS, LOOKS, EDITS = "acts", "looks", "edits"
"""What an action is for: it does something, it only looks, or it changes a file by hand."""

LOOKING = frozenset(
    "ls cat head tail grep rg ag find fd wc echo printf pwd which type file stat tree less more "
    "sed awk sort uniq cut tr jq yq diff du df ps env date whoami id uname hostname column xxd od "
    "basename dirname realpath readlink test [ [[ true false : read sleep wait cd pushd popd set "
    "export unset local source . for while until if then else elif fi do done case esac in "
    "function return exit break continue tee xargs".split()
)
"""Programs that only look, words of the shell itself, and what is typed to get somewhere."""

LOOKING_VERBS: Mapping[str, frozenset[str]] = {
    "git": frozenset(
        "status diff log show branch rev-parse remote ls-files ls-tree blame describe reflog grep "
        "shortlog merge-base rev-list config cat-file check-ignore for-each-ref var help".split()
    ),
}
"""Verbs that only look, of programs that also act."""

_LOOKING_WORDS = frozenset(
    "list ls show status view get describe info help version logs log diff search ready".split()
)
"""Last words of a program's verb that only look, whatever the program."""

_ONE_WORD = frozenset(
    "rm cp mv mkdir touch chmod chown ln kill pkill open curl wget tar unzip zip ssh scp rsync "
    "python python3 node ruby perl bash sh zsh deno uuidgen base64 gofmt black ruff eslint prettier "
    "tsc pytest mypy jest vitest rspec psql sqlite3 mysql redis-cli git-lfs".split()
)
"""Programs whose next word is a file or a script, never a verb."""

_TWO_WORDS = {
    ("mise", "run"), ("npm", "run"), ("pnpm", "run"), ("yarn", "run"), ("bun", "run"),
    ("docker", "compose"), ("mix", "do"), ("uv", "pip"), ("cargo", "make"), ("go", "mod"),
    ("go", "tool"), ("git", "stash"), ("git", "worktree"), ("git", "submodule"), ("mise", "x"),
    ("poetry", "self"), ("dotnet", "ef"), ("git", "bisect"),
}  # fmt: skip
"""Verbs that have a verb of their own behind them."""

_NESTED = frozenset("gh glab aws gcloud az kubectl heroku fly flyctl doppler terraform".split())
"""Programs that say a noun first and then the verb."""

_WRAPPERS = {
    "sudo": 0, "time": 0, "nohup": 0, "command": 0, "exec": 0, "env": 0, "nice": 0, "builtin": 0,
    "timeout": 1, "do": 0, "then": 0, "else": 0, "if": 0, "while": 0, "!": 0, "until": 0,
}  # fmt: skip
"""Words before a command that are not what it does, each with how many words it takes itself."""

_RUNNERS = {("uv", "run"), ("poetry", "run"), ("bundle", "exec"), ("npx",), ("bunx",), ("pipenv", "run"),
            ("pnpm", "exec"), ("hatch", "run"), ("pdm", "run"), ("mise", "exec"), ("direnv", "exec")}  # fmt: skip
"""Words that run the command behind them in an environment."""

_VALUED = frozenset(("-C", "-c", "--repo", "-R", "--git-dir", "--work-tree", "--context", "-n",
                     "--namespace", "-f", "--file", "--cwd", "--prefix", "--filter"))  # fmt: skip
"""Options before a verb whose value is the next word."""

_SCRATCH = ("/tmp/", "/private/tmp/", "/var/folders/")
"""Where programs lie that were only built to be tried."""

HOUSEKEEPING = frozenset("mkdir rm rmdir cp mv touch chmod chown ln".split())
"""Programs that make room for a step, and are none with a purpose of its own."""

_VERB = re.compile(r"[a-z][a-z0-9]*(?:[:._-][a-z0-9]+)*\Z")
_SENDS = frozenset("-f -F --field --raw-field --input POST PATCH PUT DELETE".split())
"""Words with which a request changes something, and does not only ask."""

ASKS = ("gh pr view", "gh pr diff", "gh api", "gh run view", "gh issue view", "glab mr view")
"""Actions that only fetch what somebody else said: what they are for comes after them."""

_RANGE = re.compile(r"\A[\w/@{}~^-]+\.\.\.?(?:HEAD)?\Z")
"""What a branch has beyond its base: to look at that is another thing than to look at one's own work."""

_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_HEXADECIMAL = re.compile(r"[0-9a-f]{7,}\Z")
_ID = re.compile(r"[a-z]+-[a-z0-9]*\d[a-z0-9.]*\Z|[a-z]+-[a-z0-9]{3}(?:\.\d+)*\Z")

_BOOKKEEPING = frozenset(
    "TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop KillShell "
    "BashOutput AskUserQuestion ToolSearch StructuredOutput EnterPlanMode ListMcpResourcesTool "
    "AgentOutputTool SendMessage".split()
)
"""Tools with which an agent keeps its own books, or waits."""

_LOOKS = frozenset(
    "Read Grep Glob LS LSP WebSearch WebFetch NotebookRead ReadMcpResourceTool".split()
)
_EDITS = frozenset("Edit Write MultiEdit NotebookEdit".split())


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
    if not step.tool or step.tool in _BOOKKEEPING:
        return
    why = complaint(step)
    if step.tool == "Bash":
        yield from _of_shell(step, why)
        return
    name, kind, text = _of_tool(step.tool, step.input)
    # A plan that a person sends back has been answered, which is what it was for.
    failed = step.failed and step.tool != "ExitPlanMode"
    yield Action(name, kind, text, step.id, failed, why)


def complaint(step: Step) -> str:
    """What a call that failed said, in one line of at most 200 characters; "" where it did not.

    A pipe hides an exit code, so that what the programs themselves printed counts too.
    """
    if step.failed:
        return " ".join(step.result.split())[:200] or "it failed"
    if step.tool != "Bash":
        return ""
    found = _COMPLAINTS.search(step.result)
    return " ".join(step.result[found.start() : found.start() + 300].split())[:200] if found else ""


_COMPLAINTS = re.compile(
    r"^(?:--- FAIL|FAIL\b|FAILED\b|fatal: |error: |error\[|Error: |ERROR\b|CONFLICT |"
    r"Traceback \(most|npm ERR!|\[\w+\] ERROR|.*\btask failed\b|"
    r".*\b[1-9]\d* (?:failed|failures|errors?)\b)",
    re.MULTILINE,
)


def _of_tool(tool: str, given: Mapping[str, Any]) -> tuple[str, str, str]:
    """(name, kind, text) of a call of a tool other than the shell."""
    if tool in _EDITS:
        path = str(given.get("file_path") or given.get("notebook_path") or "")
        pure = PurePosixPath(path)
        if pure.suffix == ".md" and ("plans" in pure.parts or pure.stem.lower() == "plan"):
            return "write plans/<name>.md", ACTS, f"{tool} {pure.name}"
        return f"edit {_kind_of_file(pure)}", EDITS, f"{tool} {pure.name}"
    if tool in _LOOKS:
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


def name_of(command: Command) -> tuple[str, str] | None:
    """(name, kind) of a simple command; None where it only assigns, or has no name of its own."""
    words = [word.text for word in command.words]
    runner: tuple[str, ...] = ()
    while words:
        if _ASSIGNED.match(words[0]):
            words = words[1:]
        elif words[0] in _WRAPPERS:
            words = _without_options(words[1:])[_WRAPPERS[words[0]] :]
        elif not runner and (found := _runner(words)):
            runner, words = found, _without_options(words[len(found) :])
        else:
            break
    if not words:
        return None
    program = PurePosixPath(words[0]).name
    if not re.match(r"[\w@.\[:+-]+\Z", program) or words[0].startswith(("$", "-")):
        return None
    if words[0].startswith(_SCRATCH):
        return "/tmp/<bin>", ACTS
    if program in LOOKING:
        return program, LOOKS
    if program.startswith("python") and words[1:2] == ["-m"] and len(words) > 2:
        return " ".join((*runner, "python -m", words[2])), ACTS
    verb = _verb(program, words[1:])
    if program == "git" and verb[:1] in (("diff",), ("log",)) and any(map(_RANGE.search, words)):
        return f"git {verb[0]} <base>..HEAD", LOOKS
    name = " ".join((*runner, program, *verb))
    if name == "gh api" and _SENDS.intersection(words):
        return "gh api -f", ACTS
    return name, _kind(program, verb, words)


def _kind(program: str, verb: tuple[str, ...], words: list[str]) -> str:
    if {"--help", "-h", "--version"} & set(words):
        return LOOKS
    if verb and verb[0] in LOOKING_VERBS.get(program, ()):
        return LOOKS
    if program in _NESTED:
        return ACTS  # it asks another machine: nobody does that by habit
    if verb and verb[-1] in _LOOKING_WORDS:
        return LOOKS
    return ACTS


def _runner(words: list[str]) -> tuple[str, ...]:
    return next((one for one in _RUNNERS if tuple(words[: len(one)]) == one), ())


def _verb(program: str, words: list[str]) -> tuple[str, ...]:
    """The words of a command that say what it does, as far as its program has such words."""
    if program in _ONE_WORD or "/" in program or "." in program:
        return ()
    found: list[str] = []
    rest = _without_options(words)
    while rest and len(found) < 3 and _is_verb(rest[0]):
        found.append(rest[0])
        deeper = len(found) == 1 and (
            (program, found[0]) in _TWO_WORDS or (program in _NESTED and found[0] != "api")
        )
        if not deeper:
            break
        rest = _without_options(rest[1:])
    return tuple(found)


def _is_verb(word: str) -> bool:
    return bool(_VERB.match(word)) and not _HEXADECIMAL.match(word) and not _ID.match(word)


def _without_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-") and words[0] not in ("-", "--"):
        words = words[2:] if words[0] in _VALUED else words[1:]
    return words
