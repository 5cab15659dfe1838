"""The small parts that sections of a page are made of: tiles, gauges, bars, commands, lists.

The one rule: what they are given as text is escaped here; HTML comes only from this room.
"""

from collections.abc import Iterable, Sequence

from memgit.pages.frame import isolated, text
from memgit.pages.words import Words, number

NEAR = 0.8
"""The share of a limit from which on a gauge warns."""


def section(anchor: str, title: str, intro: str, parts: Iterable[str]) -> str:
    """A part of the page with its heading; `parts` are HTML."""
    return (
        f'<section id="{anchor}" aria-labelledby="{anchor}-title">'
        f'<h2 id="{anchor}-title">{text(title)}</h2><p class="intro">{text(intro)}</p>'
        f"{''.join(parts)}</section>"
    )


def tile(name: str, value: str, beside: str = "") -> str:
    """One figure that is read at a glance."""
    below = f"<small>{text(beside)}</small>" if beside else ""
    return f"<div><dt>{text(name)}</dt><dd>{text(value)}{below}</dd></div>"


def gauge(name: str, unit: str, count: int, limit: int, words: Words) -> str:
    """How full something is, as a bar with its numbers."""
    share = count / limit if limit else float(count > 0)
    state = "bad" if share > 1 else "warn" if share >= NEAR else "ok"
    told = words("always.of", count, most=limit)
    label = text(f"{name}, {unit}: {told}")
    return (
        f'<div class="gauge {state}"><div class="gauge-head"><span>{text(unit)}</span>'
        f"<span><b>{number(count)}</b> / {number(limit)}</span></div>"
        f'<div class="bar" role="meter" aria-label="{label}" aria-valuemin="0" '
        f'aria-valuemax="{max(limit, count, 1)}" aria-valuenow="{count}">'
        f'<i style="width:{min(share, 1.0):.1%}"></i></div></div>'
    )


def split_bar(counts: Sequence[tuple[str, int]]) -> str:
    """A bar whose parts have the share of their (class, count); the numbers stand elsewhere."""
    total = sum(count for _, count in counts) or 1
    parts = "".join(
        f'<i class="{name}" style="width:{count / total:.1%}"></i>'
        for name, count in counts
        if count
    )
    return f'<div class="bar" aria-hidden="true">{parts}</div>'


def command(words: Words, told: str) -> str:
    """A command that can be copied, by its button or by hand: one press marks all of it."""
    said = text(told)
    label = text(f"{words('page.copy')}: {told}")
    return (
        f'<span class="command"><code>{said}</code><button type="button" hidden data-copy="{said}" '
        f'aria-label="{label}">{text(words("page.copy"))}</button></span>'
    )


def folded(summary: str, body: str, is_open: bool = False) -> str:
    """Something that opens when it is asked for; both are HTML."""
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>{body}</details>"


def names(given: Sequence[str], most: int, words: Words) -> str:
    """Names of memories beside each other, and how many more there are."""
    shown = "".join(f"<li>{isolated(name, 80)}</li>" for name in given[:most])
    more = len(given) - most
    rest = f'<li class="quiet">{text(words("page.more", more))}</li>' if more > 0 else ""
    return f'<ul class="names">{shown}{rest}</ul>'
