"""`memgit log`: what happened to the memories, newest first."""

from datetime import UTC, datetime

import click

from memgit.commands._help import examples
from memgit.commands._words import MEMORY
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.history import Event, events, story_of
from memgit.domain.store import Store
from memgit.errors import UsageError, did_you_mean
from memgit.output import paging, say

SHORT = 12
"""Characters of a commit's id that are shown."""


@click.command(
    epilog=examples(
        "memgit log deploy",
        "memgit log --kind supersede --since 2026-11-01 --json",
        note="Exits with 1 when nothing is found.",
    )
)
@click.argument("name", required=False, type=MEMORY)
@click.option("--actor", metavar="ACTOR", help="Only by user, agent, or the pass of this name.")
@click.option("--kind", metavar="KIND", help="Only one kind: add, supersede, undo, edit, ...")
@click.option("--since", metavar="DATE", help="Only from this day or time on, as 2026-11-30.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one operation a line.")
@click.pass_obj
def log(
    store: str | None, name: str | None, actor: str | None, kind: str | None, since: str | None,
    as_json: bool,
) -> int:  # fmt: skip
    """List the operations on the memories, or on the memory NAME, also under the names it had.
    Commits made by hand are shown too, as `edit`, `merge` or `commit`. Times are the author's own.
    """
    opened = Store.find(store)
    start = _moment(since) if since else None
    found, kinds = 1, set()
    with paging(as_json) as shown:
        for event in story_of(opened, name) if name else events(opened):
            kinds.add(event.kind)
            if (
                (actor is None or event.actor == actor)
                and (kind is None or event.kind == kind)
                and (start is None or event.moment >= start)
            ):
                shown.value(_value(event), _text(event))
                found = 0
    if found:
        say("; ".join(filter(None, ("nothing is found", _meant(opened, name, kind, kinds)))))
    return found


def _meant(store: Store, name: str | None, kind: str | None, kinds: set[str]) -> str:
    """What may have been meant by a name or a kind of which there is nothing."""
    if name and not kinds:
        return Catalogue(store).meant(name)
    return did_you_mean(kind, kinds) if kind and kind not in kinds else ""


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--since {text}: not a date", "write it as 2026-11-30") from None
    return moment if moment.tzinfo else moment.astimezone(UTC)


def _value(event: Event) -> dict[str, object]:
    operation = event.operation
    return {
        "commit": event.id,
        "date": event.commit.date,
        "kind": event.kind,
        "actor": event.actor,
        "author": event.author,
        "memories": list(event.memories),
        "subject": event.subject,
        "to": operation.to if operation else "",
        "because": operation.because if operation else "",
        "confidence": operation.confidence if operation else None,
        "guards": list(operation.guards) if operation else [],
        "sources": list(operation.sources) if operation else [],
        "undoes": operation.undoes if operation else "",
    }


def _text(event: Event) -> str:
    because = f" ({event.operation.because})" if event.operation and event.operation.because else ""
    said = f"{event.kind}: {event.subject}{because} [{event.actor}]"
    return f"{event.id[:SHORT]}  {event.moment:%Y-%m-%d %H:%M}  {said}"
