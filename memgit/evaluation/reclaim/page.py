"""The report on runs as one HTML page that needs nothing else: charts and tables.

The one rule: what readers and notes say is shown, never obeyed; the page forbids scripts and any
other address.
"""

from collections.abc import Iterable, Mapping, Sequence

from memgit.evaluation.reclaim.run_report import NO_MODEL, Document, Section, sections
from memgit.pages import frame
from memgit.ports import charts

TITLE = "Whether memories stay correctable"


def page(made: Document, compared: Sequence[Section] = ()) -> str:
    """The whole page."""
    rules = [one["reader"] for one in made["readers"] if one["deterministic"]]
    body = [f"<h1>{frame.text(TITLE)}</h1>", "<p>In parentheses: 95 % intervals (Wilson).</p>"]
    if rules:
        told = ", ".join(f"“{frame.isolated(one)}”" for one in rules)
        body.append(f"<p>{told}: {NO_MODEL}. Such figures say nothing of any model.</p>")
    body.append(f'<div class="charts">{"".join(_charts(made))}</div>')
    body += map(_section, [*sections(made), *compared])
    return frame.page(TITLE, "\n".join(body))


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
    return frame.figure(frame.text(caption), svg)


def _bar(record: Mapping[str, float | None] | None) -> charts.Bar:
    if not record:
        return None
    value, low, high = record["value"], record["low"], record["high"]
    return None if value is None or low is None or high is None else (value, low, high)


def _section(section: Section) -> str:
    rows = [[frame.text(cell) for cell in row] for row in section.rows]
    columns = [frame.text(column) for column in section.columns]
    title, note = frame.text(section.title), frame.text(section.note)
    return f"<h2>{title}</h2><p>{note}</p>{frame.table(columns, rows)}"
