"""The sections that tell of time: growth and operations, recall, cost, the battery.

The one rule: each chart has the same numbers beside it as words or a table.
"""

from collections.abc import Iterator

from memgit.domain.health.gathering import Health
from memgit.domain.health.past import MONTH, ORDER, Period
from memgit.domain.health.recalls import BUDGET, FAULT, LATE, SHOWN, SILENT, STEPS
from memgit.pages.frame import figure, isolated, table, text
from memgit.pages.parts import folded, names, section
from memgit.pages.words import Words, number
from memgit.ports import charts

SHOWN_MOST = 15
"""Memories that are listed as shown most often."""

NEVER = 60
"""Memories that are listed as never shown."""

RUNS = 40
"""Measurements of the battery that are drawn, the newest."""

SHORT = 12


def growth(health: Health, words: Words) -> str:
    """How many memories there were, and what was done, over time."""
    past = health.past
    labels = [_start(period, past.step) for period in past.periods]
    step = words(f"growth.{past.step}")
    columns = [words(f"growth.{key}") for key in ("column_start", *ORDER, "column_memories")]
    rows = [
        [_start(period, past.step), *(number(period.counts[key]) for key in ORDER),
         number(period.memories)]
        for period in reversed(past.periods)
    ]  # fmt: skip
    grown = {words("growth.column_memories"): [period.memories for period in past.periods]}
    done = {
        words(f"growth.{key}"): [period.counts[key] for period in past.periods] for key in ORDER
    }
    told = [f"{words(f'kind.{kind}') if words.has(f'kind.{kind}') else kind} {number(count)}"
            for kind, count in past.kinds.items()]  # fmt: skip
    who = [f"{actor_of(actor, words)} {number(count)}" for actor, count in past.actors.items()]
    parts = [
        '<div class="charts">',
        figure(text(words("growth.memories", step=step)), charts.line("grown", labels, grown)),
        figure(text(words("growth.operations", step=step)), charts.columns("done", labels, done),
               list(map(text, done))),
        "</div>",
        f"<p>{text(words('growth.kinds', told=', '.join(told[:12])))} "
        f"{text(words('growth.actors', told=', '.join(who[:8])))}</p>",
        folded(text(words("page.table")), table(list(map(text, columns)), rows,
                                                text(words("growth.title")))),
    ]  # fmt: skip
    return section("growth", words("growth.title"), words("growth.intro"), parts)


def _start(period: Period, step: str) -> str:
    """The day on which a period starts; of a month, the month."""
    return period.start.isoformat()[: len("2026-12") if step == MONTH else None]


def actor_of(actor: str, words: Words) -> str:
    """Who did it, in words; a pass has its own name."""
    return words(f"actor.{actor}") if words.has(f"actor.{actor}") else actor


def recall(health: Health, words: Words) -> str:
    """How long prompts took, what they brought, and what they never brought."""
    return section("recall", words("recall.title"), words("recall.intro"),
                   [*_latency(health, words), *_use(health, words)])  # fmt: skip


def _latency(health: Health, words: Words) -> Iterator[str]:
    found = health.latency
    if not found.recalls:
        yield f'<p class="quiet">{text(words("recall.none"))}</p>'
        return
    labels = [f"≤ {step}" for step in STEPS] + [f"> {STEPS[-1]}"]
    caption = text(words("recall.latency", len(found.recalls)))
    drawn = charts.columns("latency", labels, {words("recall.prompts"): found.classes}, every=1)
    rows = [
        [text(label), number(count)] for label, count in zip(labels, found.classes, strict=True)
    ]
    columns = [text(words("recall.column_class")), text(words("recall.prompts"))]
    times = (f"{found.quantile(share):.1f}" for share in (0.5, 0.95, 0.99, 1.0))
    told = dict(zip(("median", "p95", "p99", "slowest"), times, strict=True))
    summary = words("recall.summary", None, budget=round(BUDGET), **told)
    counts = {key: found.count(key) for key in (SHOWN, SILENT, LATE, FAULT)}
    yield f'<div class="beside">{figure(caption, drawn)}<div><p>{text(summary)}</p>'
    yield f"<p>{text(words('recall.outcomes', **counts))}</p>"
    yield f"{folded(text(words('page.table')), table(columns, rows, caption))}</div></div>"


def _use(health: Health, words: Words) -> Iterator[str]:
    use = health.use
    if use.since is None:
        return
    day = use.since.date().isoformat()
    told = words("recall.use", use.times, day=day, sessions=use.sessions)
    columns = [text(words(f"recall.column_{key}")) for key in
               ("memory", "times", "sessions", "last")]  # fmt: skip
    rows = [
        [isolated(one.name, 80), number(one.times), number(one.sessions),
         one.last.date().isoformat()]
        for one in use.shown[:SHOWN_MOST]
    ]  # fmt: skip
    most = text(words("recall.most"))
    yield f"<h3>{most}</h3><p>{text(told)}</p>"
    if rows:
        yield table(columns, rows, most)
    if use.never:
        title = words("recall.never", len(use.never), day=day, all=health.memories)
        yield folded(
            text(title),
            f"<p>{text(words('recall.never_intro'))}</p>{names(use.never, NEVER, words)}",
        )


def cost(health: Health, words: Words) -> str:
    """What passes asked of models, by day."""
    spent, caps = health.spent, health.caps
    calls = sum(day.calls for day in spent.values())
    today = list(spent.values())[-1]
    parts = []
    if calls:
        labels = [day.isoformat() for day in spent]
        tokens = {words("cost.tokens"): [day.usage.tokens for day in spent.values()]}
        caption = text(words("cost.tokens"))
        total = words(
            "cost.total", calls=calls, tokens=sum(day.usage.tokens for day in spent.values()),
            dollars=f"{sum(day.usage.dollars for day in spent.values()):.2f}",
            failed=sum(day.failed for day in spent.values()),
        )  # fmt: skip
        columns = [text(words(f"cost.column_{key}")) for key in
                   ("day", "calls", "tokens", "dollars")]  # fmt: skip
        rows = [
            [day.isoformat(), number(one.calls), number(one.usage.tokens),
             f"{one.usage.dollars:.2f}"]
            for day, one in reversed([*spent.items()]) if one.calls
        ]  # fmt: skip
        parts += [
            f'<div class="single">{figure(caption, charts.columns("cost", labels, tokens))}</div>',
            f"<p>{text(total)}</p>",
            folded(text(words("page.table")), table(columns, rows, text(words("cost.title")))),
        ]  # fmt: skip
    else:
        parts.append(f'<p class="quiet">{text(words("cost.nothing"))}</p>')
    left = words(
        "cost.today", calls=today.calls, most_calls=caps.calls_per_day,
        tokens=today.usage.tokens, most_tokens=caps.tokens_per_day,
    )  # fmt: skip
    return section("cost", words("cost.title"), words("cost.intro"),
                   [*parts, f"<p>{text(left)}</p>"])  # fmt: skip


def battery(health: Health, words: Words) -> str:
    """How recall did on the person's own prompts, commit by commit."""
    runs = health.runs[-RUNS:]
    if not runs:
        parts = [f'<p class="quiet">{text(words("battery.nothing"))}</p>']
        return section("battery", words("battery.title"), words("battery.intro"), parts)
    labels = [run.commit[:7] for run in runs]
    series = {
        words("battery.hits"): [_percent(run.share) for run in runs],
        words("battery.quiet"): [_percent(run.quiet) for run in runs],
    }
    columns = [text(words(f"battery.column_{key}")) for key in
               ("day", "commit", "hits", "quiet", "ms")]  # fmt: skip
    rows = [
        [run.at[:10], f"<code>{text(run.commit[:SHORT])}</code>", f"{run.hits} / {run.asked}",
         f"{run.silent} / {run.idle}", number(run.milliseconds)]
        for run in reversed(runs)
    ]  # fmt: skip
    caption = text(words("battery.chart"))
    parts = [
        '<div class="single">',
        figure(caption, charts.line("battery", labels, series, 100), list(map(text, series))),
        "</div>",
        folded(text(words("page.table")), table(columns, rows, text(words("battery.title")))),
    ]
    return section("battery", words("battery.title"), words("battery.intro"), parts)


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
