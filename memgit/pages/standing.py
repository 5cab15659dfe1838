"""The sections that tell how things stand: what is always on, what is doubted, what waits.

The one rule: whatever is listed is bounded, and says how much was left out.
"""

from collections.abc import Iterator, Sequence

from memgit.domain.always_on.measured import AGENT, TOGETHER, Gauge
from memgit.domain.always_on.profile import MARK
from memgit.domain.health.descent import REPLACES, Node
from memgit.domain.health.gathering import LATER, Health
from memgit.domain.health.marked import MARKS, Marked
from memgit.domain.health.past import Deed
from memgit.domain.proposals.waiting import Held
from memgit.pages.frame import isolated, table, text
from memgit.pages.over_time import actor_of
from memgit.pages.parts import command, folded, gauge, section, split_bar
from memgit.pages.words import Words, number

EACH = 25
"""Memories of one mark that are told."""

WAITING = 25
"""Proposals that are told."""

LINE = 200
"""Characters of a line that belongs to a memory."""

VERDICTS = ("supported", "refuted", "pending", "unknown")

SHORT = 12


def always(health: Health, words: Words) -> str:
    """The gauges of what every session is given, and the profile's lines."""
    parts = ['<div class="gauges">']
    parts += [_gauges(one, words) for one in health.gauges]
    parts.append("</div>")
    if health.profile:
        lines = "".join(
            f"<li>{isolated(line.removeprefix(MARK), LINE)}</li>" for line in health.profile
        )
        parts.append(f"<h3>{text(words('always.profile'))}</h3><ol>{lines}</ol>")
    else:
        parts.append(f'<p class="quiet">{text(words("always.no_profile"))}</p>')
    return section("always", words("always.title"), words("always.intro"), parts)


def _gauges(one: Gauge, words: Words) -> str:
    name = words("always.together") if one.file == TOGETHER else one.file
    whose = "agent" if one.whose == AGENT else "advised" if one.file == TOGETHER else "store"
    of = one.measure
    rows = []
    if of.limit.lines:
        rows.append(gauge(name, words("always.lines"), of.lines, of.limit.lines, words))
    rows.append(gauge(name, words("always.units"), of.units, of.limit.units, words))
    return (
        f'<div class="card"><h3>{text(name)}</h3><p class="quiet">{text(words(f"always.{whose}"))}'
        f"</p>{''.join(rows)}</div>"
    )


def marked(health: Health, words: Words) -> str:
    """What is superseded, refuted, unverified or retired, with its story."""
    parts: list[str] = []
    for mark in MARKS:
        found = [one for one in health.marked if one.mark == mark]
        if not found:
            continue
        parts.append(f"<h3>{text(words(f'marked.{mark}'))} <span class=count>{number(len(found))}"
                     "</span></h3>")  # fmt: skip
        parts += [_marked(one, words) for one in found[:EACH]]
        if len(found) > EACH:
            parts.append(f'<p class="quiet">{text(words("marked.more", len(found) - EACH))}</p>')
    if not parts:
        parts.append(f'<p class="quiet">{text(words("marked.nothing"))}</p>')
    return section("marked", words("marked.title"), words("marked.intro"), parts)


def _marked(one: Marked, words: Words) -> str:
    why = "; ".join(one.why)
    deeds = "".join(f"<li>{_deed(deed, words)}</li>" for deed in one.deeds)
    undo = (
        f"<p>{text(words('marked.undo'))} {command(words, f'memgit undo {one.undo[:SHORT]}')}</p>"
        if one.undo
        else f'<p class="quiet">{text(words("marked.by_hand"))}</p>'
    )
    about = f"<p>{isolated(one.description, LINE)}</p>" if one.description else ""
    summary = f"<b>{isolated(one.name, 80)}</b> <span class=why>{isolated(why, LINE)}</span>"
    story = f'<ul class="story">{deeds}</ul>' if deeds else ""
    return folded(summary, f"{about}<p><code>{isolated(one.path, LINE)}</code></p>{story}{undo}")


def _deed(deed: Deed, words: Words) -> str:
    key = f"deed.{deed.kind}"
    what = words(key, to=deed.to) if words.has(key) else deed.kind
    what = f"{deed.about}: {what}" if deed.about else what
    because = f": {isolated(deed.because, LINE)}" if deed.because else ""
    undone = f" ({text(words('deed.undone'))})" if deed.is_undone else ""
    return (
        f"<time>{text(deed.day)}</time> {isolated(what, LINE)}"
        f" ({text(actor_of(deed.actor, words), 40)}){because}{undone}"
        f" <code>{text(deed.commit[:SHORT])}</code>"
    )


def verdicts(health: Health, words: Words) -> str:
    """What probes said, by probe."""
    if not health.verdicts:
        parts = [f'<p class="quiet">{text(words("verdicts.nothing"))}</p>']
        return section("verdicts", words("verdicts.title"), words("verdicts.intro"), parts)
    columns = [text(words(f"verdicts.{key}")) for key in ("probe", *VERDICTS, "last")]
    rows = []
    for one in health.verdicts:
        name = words("verdicts.unnamed") if one.probe == LATER else one.probe
        bar = split_bar([(verdict, one.counts.get(verdict, 0)) for verdict in VERDICTS])
        rows.append([
            f"{text(name)}{bar}", *(number(one.counts.get(key, 0)) for key in VERDICTS),
            text(one.last[:10]),
        ])  # fmt: skip
    parts = [table(columns, rows, text(words("verdicts.title")))]
    return section("verdicts", words("verdicts.title"), words("verdicts.intro"), parts)


def proposals(health: Health, words: Words) -> str:
    """What passes suggest and nobody decided yet."""
    found = sorted(health.proposals, key=lambda held: held.is_deferred(health.now))
    parts = [_proposal(held, health, words) for held in found[:WAITING]]
    if len(found) > WAITING:
        parts.append(f'<p class="quiet">{text(words("page.more", len(found) - WAITING))}</p>')
    if found:
        parts.append(f"<p>{command(words, 'memgit review')}</p>")
    else:
        parts.append(f'<p class="quiet">{text(words("proposals.nothing"))}</p>')
    return section("proposals", words("proposals.title"), words("proposals.intro"), parts)


def _proposal(held: Held, health: Health, words: Words) -> str:
    one = held.proposal
    facts = [actor_of(one.actor, words), words("proposals.confidence", round(one.confidence, 2))]
    if held.is_deferred(health.now):
        facts.append(words("proposals.deferred", day=held.until[:10]))
    if one.refusals:
        guards = ", ".join(refusal.guard for refusal in one.refusals)
        facts.append(words("proposals.refused", guards=guards))
    key = f"proposals.{one.kind}"
    title = words(key, told=one.told) if words.has(key) else f"{one.kind} {one.told}"
    quotes = "".join(
        f"<blockquote>{isolated(item.quote)}</blockquote>" for item in one.evidence[:2]
    )
    review = command(words, f"memgit review {one.id}")
    summary = f"<b>{isolated(title, LINE)}</b> <span class=why>{text(' · '.join(facts))}</span>"
    return folded(summary, f"<p>{isolated(one.because)}</p>{quotes}<p>{review}</p>")


def descent(health: Health, words: Words) -> str:
    """The trees of what replaced what and what was made from what."""
    found = health.descent
    intro = words("descent.intro", supersessions=found.supersessions,
                  derivations=found.derivations)  # fmt: skip
    if found.trees:
        parts = [f'<ul class="tree">{"".join(_nodes(found.trees, words))}</ul>']
    else:
        parts = [f'<p class="quiet">{text(words("descent.nothing"))}</p>']
        intro = ""
    if found.left_out:
        parts.append(f'<p class="quiet">{text(words("descent.left_out", found.left_out))}</p>')
    return section("descent", words("descent.title"), intro, parts)


def _nodes(nodes: Sequence[Node], words: Words) -> Iterator[str]:
    for node in nodes:
        key = "replaces" if node.relation == REPLACES else "made_into"
        how = (
            f'<span class="how {key}">{text(words(f"descent.{key}"))}</span> '
            if node.relation
            else ""
        )
        labels = f" <span class=why>{isolated('; '.join(node.labels), 120)}</span>"
        below = f"<ul>{''.join(_nodes(node.below, words))}</ul>" if node.below else ""
        yield f"<li>{how}{isolated(node.name, 80)}{labels if node.labels else ''}{below}</li>"
