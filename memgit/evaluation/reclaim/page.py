"""The report on runs as one HTML page that needs nothing else: charts and tables.

The one rule: what readers and notes say is shown, never obeyed; the page forbids scripts and any
other address.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from memgit.evaluation.reclaim.run_report import NO_MODEL, Document, Section, sections
from memgit.ports import charts

_STYLE = """
:root { color-scheme: light dark; --text: #1d2530; --faint: #c9d0d8; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dde3ea; --faint: #3c4653; --back: #14181d; } }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--back); color: var(--text);
       font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .2rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .8rem .25rem 0; text-align: left; white-space: nowrap;
         border-bottom: 1px solid var(--faint); }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
figure { margin: 0; } figcaption { font-weight: 600; font-size: .95rem; }
figure svg { width: 100%; height: auto; }
"""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(made: Document, compared: Sequence[Section] = ()) -> str:
    """The whole page."""
    title = "Whether memories stay correctable"
    rules = [one["reader"] for one in made["readers"] if one["deterministic"]]
    body = [f"<h1>{escape(title)}</h1>", "<p>In parentheses: 95 % intervals (Wilson).</p>"]
    if rules:
        told = ", ".join(f"“{escape(one)}”" for one in rules)
        body.append(f"<p>{told}: {NO_MODEL}. Such figures say nothing of any model.</p>")
    body.append(f'<div class="charts">{"".join(_charts(made))}</div>')
    body += map(_section, [*sections(made), *compared])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body) + "\n</body></html>\n"
    )  # fmt: skip


def _charts(made: Document) -> Iterable[str]:
    for place, reader in enumerate(made["readers"]):
        who = f"{reader['reader']} ({NO_MODEL})" if reader["deterministic"] else reader["reader"]
        for condition, key in (("size", "size"), ("cascade", "hops"), ("noise", "decoys")):
            if cells := reader["conditions"].get(condition):
                yield _lines(f"{condition}{place}", f"Reclaimed by {key}: {who}", cells, key)


def _lines(name: str, caption: str, cells: Sequence[Document], key: str) -> str:
    """Bars by the value of `key`, a series per policy; of budgets the smallest, of errors those."""
    least = min((one["group"].get("budget", 0) for one in cells), default=0)
    groups = [(one, one["group"]) for one in cells]
    mine = [one for one, of in groups if of.get("budget", 0) == least and of.get("planted", True)]
    steps = sorted({one["group"][key] for one in mine})
    policies = list(dict.fromkeys(one["group"]["policy"] for one in mine))[:4]
    found = {(one["group"]["policy"], one["group"][key]): one["reclaim"] for one in mine}
    series = {policy: [_bar(found.get((policy, step))) for step in steps] for policy in policies}
    svg = charts.bars(name, [str(step) for step in steps], series)
    return f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>"


def _bar(record: Mapping[str, float | None] | None) -> charts.Bar:
    if not record:
        return None
    value, low, high = record["value"], record["low"], record["high"]
    return None if value is None or low is None or high is None else (value, low, high)


def _section(section: Section) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in section.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in section.rows
    )
    return (
        f"<h2>{escape(section.title)}</h2><p>{escape(section.note)}</p>"
        f'<div class="table"><table><tr>{head}</tr>{rows}</table></div>'
    )
