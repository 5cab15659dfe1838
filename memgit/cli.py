"""From a verb to its file, and the one place where a fault becomes a message and an exit code.

The one rule: a verb's module is imported when the verb is typed, not before.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from memgit import __version__
from memgit.commands._help import examples
from memgit.errors import MemgitError, Notice, StoreError, UsageError, did_you_mean
from memgit.output import Unheard, printing, say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VERBS = {
    "add": "Write a memory and commit it.",
    "bench": "Time recall and its rivals on generated stores.",
    "budget": "Measure what an agent is always given, and make it fit.",
    "check": "Run the gates over a store.",
    "completions": "Let your shell complete verbs, options and names.",
    "cost": "What models were asked, and what that took.",
    "curate": "Find what repeats, contradicts or leads nowhere.",
    "demo": "See it work on a sample store.",
    "doctor": "Find out what is wrong, and what to do about it.",
    "edit": "Change a line of a memory.",
    "enrich": "Let words that people type lead to memories.",
    "eval": "Measure recall on labelled prompts, yours or a corpus.",
    "export": "Write the memories out, for people or for other programs.",
    "harvest": "Harvest the sessions that wait: what is worth remembering.",
    "import": "Take over memories from other folders.",
    "index": "Bring the index to the current commit.",
    "init": "Create a store, or make a repository one.",
    "install": "Connect an agent to a store.",
    "label": "Say that a memory is unverified, or refuted.",
    "list": "List the memories.",
    "log": "What happened to the memories, newest first.",
    "mcp": "Serve the store to a host without hooks, over MCP.",
    "migrate": "Bring a store to the newest format.",
    "profile": "The lines that an agent is given in every session.",
    "promote": "Let memories of a branch hold for all, once it is merged.",
    "propose": "Put proposals on a branch that others can merge.",
    "purge": "Take a secret out of the store and its history.",
    "queue": "The sessions that wait to be harvested.",
    "recall": "What a prompt would bring to mind.",
    "reclaim": "Measure whether a wrong memory can still be corrected.",
    "rename": "Give a memory another name; references follow.",
    "report": "How your memory is, as one page to look at.",
    "restore": "Let a retired memory be recalled again.",
    "retire": "Keep a memory, and never recall it again.",
    "review": "Decide on what passes propose.",
    "save": "Commit what an editor or an agent wrote into the store.",
    "scope": "Tie a memory to a project's branch until that is merged.",
    "search": "Search the memories.",
    "sessions": "Search what was said and done in all sessions.",
    "show": "Print a memory.",
    "skills": "Procedures that sessions repeat: count, draft, check, promote.",
    "source": "What a memory rests on, as it was said or written.",
    "status": "How your memory is, in ten lines.",
    "supersede": "Let one memory take the place of another.",
    "sweep": "Verify, curate, enrich: what a store wants done each day.",
    "sync": "Exchange memories with a remote: fetch, merge, push.",
    "trust": "Let claims be looked up outside of the store.",
    "undo": "Take back one operation, and keep what came later.",
    "uninstall": "Take memgit's hooks away again.",
    "verify": "Look up what memories claim, and label what does not hold.",
    "why": "Tell the story of a memory.",
}
"""Verb → what it does. Its code is in `commands/<verb>.py`, in a function of the same name."""

UNLISTED = ("merge-driver", "session-event")
"""Verbs that nobody types: git does, or an agent's plugin."""


COMPLETING = "_MEMGIT_COMPLETE"
"""The variable by which the lines of `memgit completions` ask; click answers it."""


class Verbs(click.Group):
    """A group whose members are found by name in `commands/`."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Every verb, in alphabetical order."""
        return sorted(VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command for a verb; None for a word that is none."""
        if name not in VERBS and name not in UNLISTED:
            return None
        if context.resilient_parsing:  # a shell asks what can stand there, between two keys
            from memgit.commands._outline import outlined

            command = outlined(name, partial(_loaded, name))
        else:
            command = _loaded(name)
        _take_store(command)
        return command

    def shell_complete(self, context: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The verbs that begin so, told from the table above instead of by importing each."""
        from click.shell_completion import CompletionItem

        verbs = [CompletionItem(verb, help=does) for verb, does in sorted(VERBS.items())
                 if verb.startswith(incomplete)]  # fmt: skip
        return [*verbs, *click.Command.shell_complete(self, context, incomplete)]

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that was typed; where there is none, those that come close are named."""
        if args[0] not in (*VERBS, *UNLISTED) and not context.resilient_parsing:
            meant = did_you_mean(args[0], VERBS).replace("did", " Did", 1)
            context.fail(f"No such command {args[0]!r}.{meant}")
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs, told from the table above instead of by importing each."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(VERBS.items()))


def _loaded(verb: str) -> click.Command:
    stem = f"{verb}_" if verb in ("import",) else verb.replace("-", "_")
    command: click.Command = getattr(import_module(f"memgit.commands.{stem}"), stem)
    return command


def _take_store(command: click.Command) -> None:
    """Let `--store` stand behind the verb as well as before it, at every depth."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _take_store(inner)
    if not any(option.name == "store" for option in command.params):
        command.params.append(STORE)


def _set_store(context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.obj = value


STORE = click.Option(
    ["--store"],
    metavar="PATH",
    expose_value=False,
    callback=_set_store,
    help="The store (else MEMGIT_REPO, this folder, or the one install recorded).",
)


@click.command(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "memgit init ~/memory",
        "memgit --store ~/memory add --body 'Use tabs.'",
        "memgit --store ~/memory recall --prompt 'tabs or spaces?'",
    ),
)
@click.version_option(__version__, prog_name="memgit")
def memgit() -> None:
    """Memory that a coding agent can trust: plain files in git, recalled in milliseconds."""


memgit.params.insert(0, STORE)


def main(arguments: list[str] | None = None) -> None:
    """Run a command line and exit: 0 done, 1 no, 2 usage, 3 store, 4 model, 70 bug, 130 stopped."""
    if arguments is None:
        _open_streams()
        _keep_quiet_between_keys()
        _speak_utf8()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what it cannot say it spells out
            stream.reconfigure(errors="backslashreplace")
    with _noticing() as notices:
        status = _run(memgit, arguments)
    if status < UsageError.exit_code:  # a fault says it by itself
        for notice in notices:
            say(f"memgit: {_one_line(notice)}")
    try:
        sys.stdout.flush()
    except OSError:  # that is told; keep Python from saying so at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


@contextmanager
def _noticing() -> Iterator[dict[str, None]]:
    """What is worth a line when the command has ended, each once."""
    notices: dict[str, None] = {}
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def shown(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            if issubclass(category, Notice):
                notices[str(message)] = None
            else:
                usual(message, category, *rest, **more)

        warnings.showwarning = shown
        warnings.simplefilter("always", Notice)
        yield notices


def _open_streams() -> None:
    """Where a stream was closed, nobody listens: what is said goes nowhere, and no file that is
    opened later takes its number.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _keep_quiet_between_keys() -> None:
    """A shell that asks for completions shows words, and no fault in the middle of a line."""
    if os.environ.get(COMPLETING) and not os.environ.get("MEMGIT_DEBUG"):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _speak_utf8() -> None:
    """Start anew where this interpreter takes file names for anything else than UTF-8, as git does.

    The terminal keeps the encoding that it has.
    """
    if sys.getfilesystemencoding().lower() != "utf-8":
        os.environ.setdefault("PYTHONIOENCODING", f"{sys.stdout.encoding}:backslashreplace")
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606


def _run(command: click.Command, arguments: list[str] | None) -> int:
    try:
        result: Any = command.main(args=arguments, prog_name="memgit", standalone_mode=False)
        with printing():
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except Unheard:
        return 0
    except (click.exceptions.Abort, KeyboardInterrupt):
        say("memgit: stopped")
        return 130
    except click.ClickException as fault:
        with suppress(OSError):
            fault.show()
        return 1 if _is_hook(fault) else 2
    except MemgitError as fault:
        say(f"memgit: {_one_line(str(fault))}")
        if fault.hint:
            say(f"  {_one_line(fault.hint)}")
        return fault.exit_code
    except OSError as fault:
        return _world(fault)
    except Exception as fault:
        return _bug(fault)


def _is_hook(fault: click.ClickException) -> bool:
    """Whether a host may have called: it takes 2 from a prompt hook for a refusal of the prompt."""
    # https://code.claude.com/docs/en/hooks#exit-code-2-behavior-per-event
    context = getattr(fault, "ctx", None)
    return context is not None and context.command_path == "memgit recall"


def _world(fault: OSError) -> int:
    """Say in one line what the world refused to a verb that had no better word for it."""
    _trace()
    where = f"{fault.filename}: " if fault.filename else ""
    say(f"memgit: {_one_line(where)}{fault.strerror or fault}")
    return StoreError.exit_code


def _bug(fault: Exception) -> int:
    """Say in one line that this is ours."""
    _trace()
    say(f"memgit: a fault of its own: {type(fault).__name__}: {_one_line(str(fault))}")
    say("  nothing was lost; run it again with MEMGIT_DEBUG=1 for the trace")
    return 70


def _trace() -> None:
    """The trace of the fault at hand, where it is asked for."""
    if os.environ.get("MEMGIT_DEBUG"):
        import traceback

        traceback.print_exc()


def _one_line(text: str) -> str:
    """A fault is one line, also where a file name has a line end in it."""
    return text.replace("\n", "\\n")
