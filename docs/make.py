"""Makes the pages of what the program says of itself: verbs from `--help`, settings by their table.

The one rule: nothing here is told twice; a setting without a sentence below stops the making.

    python docs/make.py
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import click

from memgit.cli import UNLISTED, VERBS, Verbs
from memgit.domain.settings import BOUNDS, FORMAT, Settings
from memgit.ports.model.choosing import DOORS

HERE = Path(__file__).resolve().parent
WIDTH = 80

MADE = "<!-- Made by `python docs/make.py`: change what it is made from. -->"

ABOUT_SETTINGS = """\
A store's settings stand in its `memgit.toml`, which `memgit init` lays down with every default in a
comment. `recall.memories` is `memories` below `[recall]`. What is not within its limits is refused,
with its place; so is a name that memgit does not know."""

ALSO = "what is not listed is still recalled and searched"
MEANING: Mapping[str, str] = {
    "format": "How the memories are laid out. `memgit migrate` brings them to the newest; a store "
    "of a later format is read, and not written.",
    "recall.memories": "How many memories one prompt may bring.",
    "recall.units": "How much text one prompt may bring, in UTF-16 units.",
    "weights.name": "How much a word counts in a memory's name and folders.",
    "weights.title": "... in the first heading.",
    "weights.description": "... in the description.",
    "weights.headings": "... in the other headings.",
    "weights.code": "... in code, besides what it counts as body.",
    "weights.aliases": "... in `aliases`, which a person gave.",
    "weights.asked_as": "... in `asked_as`, which `memgit enrich` gave.",
    "weights.topics": "... in `topics`.",
    "weights.body": "... in the text.",
    "half_life.project": "Days after which half of what age can take from the rank of a memory of "
    "this type is gone; 0 for never.",
    "half_life.reference": "The same for this type. Rules (`user`, `feedback`) never age.",
    "budget.lines": f"Lines that `MEMORY.md` may hold; {ALSO}.",
    "budget.units": "UTF-16 units of text that `MEMORY.md` may hold.",
    "profile.lines": "Lines that `PROFILE.md` may hold; the last ones become memories.",
    "profile.units": "UTF-16 units of text that `PROFILE.md` may hold.",
    "curate.brake": "Memories that passes may change in a day before somebody has looked; 0 leaves "
    "everything to `memgit review`.",
    "curate.pairs": "Pairs of memories that `memgit curate --model` may ask about in one run.",
    "model.door": "Whom the passes ask: your own Claude Code, the Messages API, or answers written "
    "down before. [Which, and what it costs](models.md).",
    "model.name": "The model that is asked for.",
    "model.calls_per_day": "Calls that all passes together may make in a day.",
    "model.tokens_per_day": "Tokens in a day, in and out, those from a cache included.",
    "model.answers": "For the door `replay`: the file of answers, in the store.",
    "model.batches": "For the door `api`: ask what can wait at half the price, within an hour.",
    "projects.NAME": "Where the project NAME (like `github.com/you/project`) is checked out on "
    'this machine: a folder, or `{ path = "FOLDER", memories = "FOLDER IN THE STORE" }`.',
    "verify.private_addresses": "Whether a URL that a memory names may lead to this machine or "
    "its own net.",
}
"""Setting → what it means. The order is that of the pages."""


def pages() -> dict[str, str]:
    """Path in this folder → the text that belongs there."""
    made = {f"verbs/{name}.md": verb_page(name) for name in VERBS}
    return {**made, "verbs/README.md": verbs_page(), "settings.md": settings_page()}


def verbs_page() -> str:
    rows = [f"| [{name}]({name}.md) | {told} |" for name, told in sorted(VERBS.items())]
    hidden = " and ".join(f"`{name}`" for name in UNLISTED)
    rest = f"`memgit --help` lists them. {hidden} are typed by nobody: git or an agent does."
    return "\n".join([MADE, "# Verbs", "", "| | |", "|---|---|", *rows, "", rest, ""])


def verb_page(name: str) -> str:
    """The help of a verb, and of each verb below it, as it is printed."""
    verbs = Verbs("memgit")
    command = verbs.get_command(click.Context(verbs), name)
    assert command is not None  # noqa: S101  # it is one of VERBS
    parts = [MADE, f"# memgit {name}", ""]
    for depth, title, text in helps(command, f"memgit {name}"):
        parts += [f"{'#' * (depth + 1)} {title}", ""] if depth else []
        parts += ["```text", text, "```", ""]
    return "\n".join(parts)


def helps(command: click.Command, path: str, depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """Depth, command line and help of a command and all below it."""
    context = click.Context(
        command, info_name=path, terminal_width=WIDTH, help_option_names=["-h", "--help"]
    )
    shipped = str(HERE.parent)
    yield depth, path, command.get_help(context).replace(shipped, "PATH-OF-MEMGIT")
    if isinstance(command, click.Group):
        for name, inner in sorted(command.commands.items()):
            yield from helps(inner, f"{path} {name}", depth + 1)


def settings_page() -> str:
    usual = dict(defaults())
    if usual.keys() != MEANING.keys():
        raise SystemExit(
            f"docs/make.py: MEANING and settings differ: {usual.keys() ^ MEANING.keys()}"
        )
    rows = [
        f"| `{name}` | {told} | {written(usual[name])} | {limits(name, usual[name])} |"
        for name, told in MEANING.items()
    ]
    head = ["| setting | meaning | default | limits |", "|---|---|---|---|"]
    return "\n".join([MADE, "# Settings", "", ABOUT_SETTINGS, "", *head, *rows, ""])


def defaults() -> Iterator[tuple[str, object]]:
    """Each setting by its full name, with its default."""
    for field in fields(Settings):
        value = getattr(Settings(), field.name)
        if field.name == "projects":
            yield "projects.NAME", None
        elif is_dataclass(value) or isinstance(value, Mapping):
            inner = value if isinstance(value, Mapping) else vars(value)
            yield from ((f"{field.name}.{name}", one) for name, one in inner.items())
        else:
            yield field.name, value


def written(value: object) -> str:
    """A value as TOML has it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


def limits(name: str, usual: object) -> str:
    """What a setting may be, in words."""
    section, _, own = name.partition(".")
    if own in BOUNDS.get(section, {}):
        low, high = BOUNDS[section][own]
        return f"{low:g} to {int(high):,}"
    if name == "model.door":
        return " or ".join(f'`"{door}"`' for door in DOORS)
    if isinstance(usual, bool):
        return "`true` or `false`"
    return f"up to {FORMAT}" if name == "format" else "a text"


def main() -> None:
    """Write what differs, take away what is no verb any more, and say which."""
    made = pages()
    for path in sorted((HERE / "verbs").glob("*.md")):
        if f"verbs/{path.name}" not in made:
            path.unlink()
            print(f"removed {path.name}")
    for name, text in made.items():
        path = HERE / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"made {name}")


if __name__ == "__main__":
    main()
