"""A verb's options and sub-verbs without its code: what a shell's completion needs, and no more.

The one rule: an outline is kept beside what made it, and counts for as long as that is unchanged;
where it cannot be kept, the verb itself is asked each time.
"""

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from memgit import __version__
from memgit.commands._words import Named, OneOf


def outlined(verb: str, load: Callable[[], click.Command]) -> click.Command:
    """A verb as an outline of it, from what was kept, else from the verb that `load` imports."""
    file = _folder() / f"{verb}.json"
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads(file.read_bytes())
        if kept["of"] == _stamp():
            return drawn(kept["outline"])
    command = load()
    with suppress(OSError):
        _keep(file, {"of": _stamp(), "outline": outline(command)})
    return command


def outline(command: click.Command) -> dict[str, Any]:
    """What completion asks of a command, as JSON has it."""
    inner = command.commands if isinstance(command, click.Group) else None
    return {
        "name": command.name,
        "help": command.get_short_help_str(),
        "params": [_parameter(one) for one in command.params if one.name != "store"],
        "commands": inner and {name: outline(one) for name, one in inner.items()},
    }


def drawn(told: dict[str, Any]) -> click.Command:
    """The command of an outline; it parses like the real one and does nothing."""
    params = [_drawn_parameter(one) for one in told["params"]]
    if told["commands"] is None:
        return click.Command(told["name"], params=params, short_help=told["help"])
    inner = {name: drawn(one) for name, one in told["commands"].items()}
    return click.Group(told["name"], inner, params=params, short_help=told["help"])


def _parameter(one: click.Parameter) -> dict[str, Any]:
    told: dict[str, Any] = {"nargs": one.nargs, "type": _type(one.type)}
    if not isinstance(one, click.Option):
        return {"argument": one.name, **told}
    words = [*one.opts, *one.secondary_opts]
    return {
        "option": words, "flag": one.is_flag, "multiple": one.multiple, "help": one.help, **told
    }  # fmt: skip


def _drawn_parameter(told: dict[str, Any]) -> click.Parameter:
    kind = _drawn_type(told["type"])
    if "argument" in told:
        return click.Argument([told["argument"]], nargs=told["nargs"], type=kind, required=False)
    if told["flag"]:
        return click.Option(told["option"], is_flag=True, help=told["help"])
    return click.Option(told["option"], multiple=told["multiple"], nargs=told["nargs"], type=kind,
                        help=told["help"])  # fmt: skip


def _type(kind: "click.ParamType[Any]") -> dict[str, Any]:
    if isinstance(kind, click.Choice):
        return {"choices": list(kind.choices)}
    if isinstance(kind, OneOf):
        return {"words": kind.words}
    if isinstance(kind, Named):
        return {"named": kind.name}
    return {"path": not kind.file_okay} if isinstance(kind, click.Path) else {}


def _drawn_type(told: dict[str, Any]) -> "click.ParamType[Any]":
    if "choices" in told:
        return click.Choice(told["choices"])
    if "words" in told:
        return OneOf(told["words"])
    if "named" in told:
        return Named(told["named"])
    return click.Path(file_okay=not told["path"]) if "path" in told else click.STRING


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "memgit" / "outlines"


def _stamp() -> str:
    """Which code the outlines are of: its version, its place, and its last change."""
    here = os.path.dirname(__file__)
    with os.scandir(here) as files:
        newest = max(file.stat().st_mtime_ns for file in files if file.name.endswith(".py"))
    return f"{__version__} {here} {newest}"


def _keep(file: Path, value: Any) -> None:
    """Put it there whole: two shells may ask at once."""
    file.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(".new", "outline-", file.parent)
    try:
        with open(number, "w", encoding="utf-8") as aside:
            json.dump(value, aside)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
