"""`memgit cost`: what the passes asked of models, by day and pass, and what the day still holds."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from typing import Any

import click

from memgit.commands._help import examples
from memgit.domain.spending import Call, Ledger, Spent
from memgit.domain.store import Store
from memgit.output import paging, say


@click.command(epilog=examples("memgit cost --days 7", "memgit cost --by about --json"))
@click.option("--days", default=30, show_default=True, type=click.IntRange(1, 3650))
@click.option(
    "--by", "by", default="pass", show_default=True, type=click.Choice(["pass", "about"]),
    help="A line for each pass of a day, or for each memory or session that one asked about.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a row.")
@click.pass_obj
def cost(store: str | None, days: int, by: str, as_json: bool) -> None:
    """Tell what models were asked, by day and pass: calls, tokens, and dollars where a key pays.

    A prompt never costs anything: recall asks no model.
    """
    at = Store.find(store)
    ledger, today = Ledger(at), datetime.now(UTC).astimezone().date()
    calls = ledger.calls(today - timedelta(days=days - 1))
    totals: dict[tuple[date, ...] | tuple[Any, ...], Spent] = defaultdict(Spent)
    for call in calls:
        key = (call.day, call.task, call.door, *([call.about] if by == "about" else []))
        totals[key] = totals[key].plus(call)
    rows = [_row(key, spent) for key, spent in sorted(totals.items(), reverse=True)]
    columns = [c for c in _COLUMNS if c != "about" or by == "about"]
    with paging(as_json) as shown:
        shown.rows(rows, columns)
    if not rows:
        say(f"no model was asked in {days} days")
    say(_left(at, calls, today))


_COLUMNS = ("day", "pass", "door", "calls", "failed", "in", "out", "cached", "dollars", "about")


def _row(key: tuple[Any, ...], spent: Spent) -> dict[str, Any]:
    day, task, door, *about = key
    usage = spent.usage
    return {
        "day": day.isoformat(), "pass": task, "door": door, "calls": spent.calls,
        "failed": spent.failed, "in": usage.input, "out": usage.output, "cached": usage.cached,
        "dollars": round(usage.dollars, 6), **({"about": about[0]} if about else {}),
    }  # fmt: skip


def _left(store: Store, calls: list[Call], today: date) -> str:
    spent = Spent()
    for call in calls:
        spent = spent.plus(call) if call.day == today else spent
    cap = store.settings.model
    return (
        f"today: {spent.calls} of {cap.calls_per_day} calls, {spent.usage.tokens:,} of "
        f"{cap.tokens_per_day:,} tokens ([model] in memgit.toml)"
    )
