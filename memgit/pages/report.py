"""The report on a memory's health as one page: the verdict first, then what it rests on.

The one rule: it draws what was gathered and judged, and looks nothing up itself.
"""

from memgit import __version__
from memgit.domain.health.gathering import Health
from memgit.domain.health.judging import Judgement
from memgit.domain.health.marked import SUPERSEDED, UNVERIFIED
from memgit.domain.health.recalls import SHOWN
from memgit.pages import frame, over_time, standing
from memgit.pages.files import shipped
from memgit.pages.frame import isolated, text
from memgit.pages.parts import command, tile
from memgit.pages.verdict import headline, sentence
from memgit.pages.words import Words, number

SECTIONS = (
    ("growth", over_time.growth),
    ("always", standing.always),
    ("recall", over_time.recall),
    ("marked", standing.marked),
    ("verdicts", standing.verdicts),
    ("proposals", standing.proposals),
    ("cost", over_time.cost),
    ("battery", over_time.battery),
    ("descent", standing.descent),
)
"""(anchor, what draws it), in the order of the page."""

SHORT = 12


def page(health: Health, judgement: Judgement, words: Words) -> str:
    """The whole page."""
    title = words("page.title", name=health.root.name)
    links = "".join(
        f'<li><a href="#{anchor}">{text(words(f"{anchor}.title"))}</a></li>'
        for anchor, _ in SECTIONS
    )
    made = words("page.made", at=f"{health.now.astimezone():%Y-%m-%d %H:%M}",
                 commit=health.commit[:SHORT] or "–")  # fmt: skip
    footer = words("page.footer", version=__version__, root=str(health.root))
    body = (
        f'<a class="skip" href="#main">{text(words("page.skip"))}</a>'
        f"<header><h1>{isolated(title, 120)}</h1><p class=quiet>{text(made)}</p></header>"
        f'<main id="main" tabindex="-1">{_verdict(judgement, words)}{_tiles(health, words)}'
        f'<nav aria-label="{text(words("page.contents"))}"><ul>{links}</ul></nav>'
        f"{''.join(draw(health, words) for _, draw in SECTIONS)}</main>"
        f'<footer class=quiet><p>{text(footer)}</p><p id="told" role="status"></p></footer>'
    )
    made_page = frame.page(title, body, words.language, shipped("report.css"), shipped("report.js"))
    return made_page.replace("<body>", f'<body data-copied="{text(words("page.copied"))}">', 1)


def _verdict(judgement: Judgement, words: Words) -> str:
    steps = "".join(
        f'<li class="{concern.state}"><span>{text(sentence(concern, words))}</span> '
        f"{command(words, concern.do)}</li>"
        for concern in judgement.concerns
    )
    todo = f"<h3>{text(words('state.next'))}</h3><ol>{steps}</ol>" if steps else ""
    return (
        f'<section class="verdict {judgement.state}" aria-labelledby="verdict">'
        f'<h2 id="verdict">{text(words(f"state.{judgement.state}"))}</h2>'
        f"<p>{text(headline(judgement, words))}</p>{todo}</section>"
    )


def _tiles(health: Health, words: Words) -> str:
    times = health.latency
    asked = len(times.recalls)
    past = health.past
    since = words("tile.since", day=past.first.isoformat()) if past.first else ""
    share = f"{times.count(SHOWN) / asked:.0%}" if asked else "–"
    median = f"{times.quantile(0.5):.1f} ms" if asked else "–"
    p95 = words("tile.p95", f"{times.quantile(0.95):.1f}") if asked else words("tile.no_recalls")
    marks = words("tile.marks", unverified=health.count(UNVERIFIED),
                  superseded=health.count(SUPERSEDED))  # fmt: skip
    return '<dl class="tiles">' + "".join((
        tile(words("tile.memories"), number(health.memories)),
        tile(words("tile.operations"), number(past.operations), since),
        tile(words("tile.recall"), median, p95),
        tile(words("tile.shown"), share, words("tile.of_last", asked) if asked else ""),
        tile(words("tile.doubted"), number(len(health.marked)), marks),
        tile(words("tile.waiting"), number(len(health.proposals)),
             words("tile.sessions", health.sessions.waiting)),
    )) + "</dl>"  # fmt: skip
