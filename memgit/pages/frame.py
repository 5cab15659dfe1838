"""The frame of a page: its head, its policy, its style, and how text is put into it.

The one rule: whatever text comes from elsewhere is shown, never obeyed. It passes `text` or
`isolated`, and the policy forbids every script but the page's own, and every other address.
"""

import base64
import hashlib
from collections.abc import Sequence
from html import escape

from memgit.output import visible
from memgit.pages.files import shipped
from memgit.ports.charts import COLOURS

LONGEST = 400
"""Characters of a text that a page shows; a longer one is cut."""


def page(title: str, body: str, lang: str = "en", style: str = "", script: str = "") -> str:
    """A whole page. `style` is added to what every page has; `body` is HTML."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    end = ""
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy += f"; script-src 'sha256-{digest}'"
        end = f"<script>{script}</script>\n"
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{shipped('base.css')}{style}</style></head>\n<body>\n"
        f"{body}\n{end}</body></html>\n"
    )


def text(given: str, longest: int = LONGEST) -> str:
    """A text as HTML, cut where it is long; control and direction characters written out."""
    cut = given if len(given) <= longest else f"{given[:longest].rstrip()}…"
    return escape(visible(cut))


def isolated(given: str, longest: int = LONGEST) -> str:
    """A text of somebody else as HTML: whichever way it runs, what stands beside it does not."""
    return f"<bdi>{text(given, longest)}</bdi>"


def table(columns: list[str], rows: list[list[str]], caption: str = "") -> str:
    """A table from cells that are HTML; it scrolls by itself where the page is narrow."""
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    told = f"<caption>{caption}</caption>" if caption else ""
    return (
        f'<div class="table" tabindex="0" role="group" aria-label="{caption or columns[0]}">'
        f"<table>{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def figure(caption: str, svg: str, series: Sequence[str] = ()) -> str:
    """A chart with its caption, and what each colour stands for where `series` names several.

    Whoever shows it says the same in words or in a table beside it.
    """
    named = zip(series, COLOURS, strict=False) if len(series) > 1 else ()
    legend = "".join(
        f'<li><i style="background:{colour}"></i>{name}</li>' for name, colour in named
    )
    return (
        f"<figure><figcaption>{caption}</figcaption>"
        + (f'<ul class="legend" aria-hidden="true">{legend}</ul>' if legend else "")
        + f'<div role="img" aria-label="{caption}">{svg}</div></figure>'
    )
