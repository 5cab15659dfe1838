"""`memgit verify`: look up what memories claim, and let them say what no longer holds."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.commands._labelling import Labelling
from memgit.commands._verdicts import as_value, refusals, summary, told
from memgit.commands._words import MEMORY
from memgit.domain import trust
from memgit.domain.claims.journal import Journal
from memgit.domain.claims.roots import Roots, gather
from memgit.domain.claims.verdict import Verdict
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.store import Store
from memgit.output import printer, progress, say
from memgit.passes.verify import Judged, Reading, judge, readings


@click.command(
    epilog=examples(
        "memgit verify --root ~/src/harbor-board", "memgit verify key-rotation --dry-run"
    )
)
@click.argument("names", nargs=-1, metavar="[NAME...]", type=MEMORY)
@click.option("--root", "folders", multiple=True, metavar="DIR",
              type=click.Path(path_type=Path),
              help="A project's checkout that memories are about; may be given again.")  # fmt: skip
@click.option("--stale", is_flag=True, help="Tell only of what had to be looked up now.")
@click.option("--dry-run", is_flag=True, help="Look, and write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")
@click.pass_obj
def verify(
    store: str | None, names: Sequence[str], folders: Sequence[Path], stale: bool, dry_run: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Look up what memories claim: files, commits, pull requests, URLs, secrets' names and more.

    A claim that does not hold is written into its memory as `unverified`, one commit for each
    memory; where it holds again, that goes again. What is moved comes to `memgit review` as an
    edit. An answer is kept while it holds (a day for files, longer for what changes less); of a
    memory that is NAMEd all is asked anew. Exit code 1 where something does not hold.
    """
    opened = Store.find(store)
    roots = _roots(opened, folders)
    now = datetime.now(UTC)
    read = list(_readings(opened, names, roots))
    journal = Journal(opened)
    shown = printer(as_json)
    found: list[Judged] = []
    with progress("looking up") as counted:
        for one in judge(read, roots, journal.standing(), now, _anew(names), counted):
            if one.is_new and not dry_run and one.standing.verdict != Verdict.UNKNOWN:
                journal.note(one.standing)
            found.append(one)
            if as_json and (one.is_new or not stale):
                shown.value(as_value(one), "")
    shown_ones = [one for one in found if one.is_new or not stale]
    refused = list(refusals(read))
    if as_json:
        for row in refused:
            shown.value(row, "")
    else:
        _print(shown_ones, summary(shown_ones, refused))
    if not dry_run:
        journal.tidy()
        _write(opened, read, found, now)
    return int(any(one.standing.verdict == Verdict.REFUTED for one in shown_ones))


def _roots(store: Store, folders: Sequence[Path]) -> Roots:
    """Where to look; of a store that nobody trusts yet, nowhere outside of it."""
    why = trust.fault(store)
    roots = gather(store, folders, not why)
    if why:
        beyond = " (and not into --root)" if folders else ""
        say(f"{why}: looking into its own folder alone{beyond}")
        say("  `memgit trust` lets it look into projects, and ask for pull requests, URLs and more")
    for fault in roots.faults:
        say(fault)
    return roots


def _readings(store: Store, names: Sequence[str], roots: Roots) -> Iterator[Reading]:
    """The named memories, else all that a prompt could bring to mind."""
    catalogue = Catalogue(store)
    if names:
        paths = list(dict.fromkeys(catalogue.find(name).path for name in names))
    else:
        live = (one for one in catalogue if not (one.is_retired or one.superseded_by))
        paths = sorted(one.path for one in live)
    with progress("reading") as counted:
        for done, reading in enumerate(
            readings(((path, catalogue.content(path)) for path in paths), roots), 1
        ):
            counted(done, len(paths))
            yield reading


def _anew(names: Sequence[str]) -> Callable[[Reading], bool]:
    return lambda reading: bool(names)


def _print(found: Sequence[Judged], told_in_all: str) -> None:
    wrong = [one for one in found if one.standing.verdict in (Verdict.REFUTED, Verdict.PENDING)]
    wrong.sort(key=lambda one: (one.reading.path, one.claim.line))
    lines = [told(one) for one in wrong]
    printer(False).value(None, "\n".join([*lines, *([""] if lines else []), told_in_all]))


def _write(store: Store, read: Sequence[Reading], found: Sequence[Judged], now: datetime) -> None:
    """Let the memories say what was found; one commit for each that changes."""
    by_path: dict[str, list[Judged]] = {}
    for one in found:
        by_path.setdefault(one.reading.path, []).append(one)
    labelling = Labelling(store, now)
    with progress("labelling") as counted:
        for done, reading in enumerate(read, 1):
            for line in labelling.take(reading, by_path.get(reading.path, [])):
                say(line)
            counted(done, len(read))
    for line in labelling.finish():
        say(line)
