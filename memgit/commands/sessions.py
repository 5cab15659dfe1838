"""`memgit sessions`: the index of what was said and done in all sessions.

The one rule: it lies with the derived data of this machine; no word of it is ever committed.
"""

from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.domain.sessions.index import SHOWN, Found, Hit, SessionIndex, Synced
from memgit.domain.store import Store
from memgit.output import paging, printer, progress, say
from memgit.ports.claude_code import projects_dir
from memgit.prompt.show import plain

TRANSCRIPTS = click.option(
    "--transcripts", "folder", metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the transcripts are; else Claude Code's own folder.",
)  # fmt: skip


@click.group(epilog=examples("memgit sessions search 'merge conflict'"))
def sessions() -> None:
    """Search what was said and done in all sessions, and count it."""


@sessions.command(epilog=examples("memgit sessions index"))
@TRANSCRIPTS
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def index(store: str | None, folder: Path | None, as_json: bool) -> None:
    """Read what is new in the transcripts. Searching does so by itself.

    Of a session whose transcript was deleted the words go; what was done in it stays counted.
    """
    opened = SessionIndex.of(Store.find(store))
    done = synced(opened, folder)
    row = {"transcripts": done.transcripts, "read": done.read, "turns": done.turns,
           "gone": done.gone}  # fmt: skip
    told = f"{done.transcripts} transcripts, {done.read} of them with news: {done.turns} turns"
    printer(as_json).value(row, told + (f"; {done.gone} are gone" if done.gone else ""))


@sessions.command(epilog=examples("memgit sessions search 'mise run lint' --count"))
@click.argument("query", nargs=-1, required=True)
@TRANSCRIPTS
@click.option("--limit", default=SHOWN, show_default=True, type=click.IntRange(1, 1000))
@click.option("--count", is_flag=True, help="Print each session once, with how often.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one hit or session a line.")
@click.pass_obj
def search(
    store: str | None, query: tuple[str, ...], folder: Path | None, limit: int, count: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Find the turns in which all these words were typed, said or run; else any of them.

    Exit code 1 when nothing is found.
    """
    opened = SessionIndex.of(Store.find(store))
    synced(opened, folder)
    found = opened.search(" ".join(query), limit)
    with paging(as_json) as shown:
        if count:
            for session, times in found.sessions:
                shown.value({"session": session, "turns": times}, f"{session}  {times}")
        else:
            for hit in found.hits:
                shown.value(vars(hit), _text(hit))
    say(_told(found))
    return 0 if found.turns else 1


def synced(index: SessionIndex, folder: Path | None) -> Synced:
    """Bring an index up to date with a folder of transcripts, and say so while it takes long; say
    so too where the folder has none: that nothing is found then tells nothing.
    """
    where = (folder or projects_dir()).resolve()
    with progress("reading transcripts") as told:
        done = index.sync(where, told)
    if not done.transcripts:
        say(f"no transcripts are in {where}; --transcripts names another folder")
    return done


def _told(found: Found) -> str:
    if not found.turns:
        return "nothing found"
    some = "; no turn holds all the words, these hold some" if found.any else ""
    more = f", {len(found.hits)} shown" if len(found.hits) < found.turns else ""
    turns = "1 turn" if found.turns == 1 else f"{found.turns:,} turns"
    sessions = "1 session" if len(found.sessions) == 1 else f"{len(found.sessions):,} sessions"
    return f"{turns} in {sessions}{more}{some}"


def _text(hit: Hit) -> str:
    prompt = plain(" ".join(hit.prompt.split())[:160]) or "(nothing was typed)"
    return f"{hit.time[:16] or '-':16}  {hit.session}  {plain(hit.folder)}\n  {prompt}"
