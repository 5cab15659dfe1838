"""Charts as SVG that stands in a page, through pygal. The only module that imports it.

The one rule: a chart is a picture. No script, no style sheet or font from elsewhere, and the same
bytes for the same numbers; its colours of text and lines are the page's own.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

COLOURS = ("#3d7fd6", "#d98a2b", "#c9504a", "#8b95a1", "#4a9a8e")

TENTHS = [tenth / 10 for tenth in range(11)]

LABEL = 22
"""Characters of a label; a longer one is cut."""

Bar = tuple[float, float, float] | None
"""A value with the ends of its interval; None where there is nothing to show."""


def bars(name: str, labels: Sequence[str], series: Mapping[str, Sequence[Bar]]) -> str:
    """Horizontal bars from 0 to 1 with their intervals, the first row on top.

    `name` tells the styles of this chart from those of others in the page.
    """
    import pygal

    chart = pygal.HorizontalBar(
        range=(0, 1), y_labels=TENTHS[::2], **_options(len(labels) * len(series))
    )
    for title, values in series.items():
        chart.add(title, [_bar(value) for value in values][::-1])
    return _svg(chart, name, labels)


def stacks(name: str, labels: Sequence[str], series: Mapping[str, Sequence[int]]) -> str:
    """Horizontal bars of counts, one upon the other."""
    import pygal

    options = {**_options(2 * len(labels)), "value_formatter": lambda value: f"{value:g}"}
    chart = pygal.HorizontalStackedBar(**options)
    for title, values in series.items():
        chart.add(title, list(values)[::-1])
    return _svg(chart, name, labels)


def columns(
    name: str, labels: Sequence[str], series: Mapping[str, Sequence[float]], every: int = 0
) -> str:
    """Upright bars in the order of time, one upon the other.

    Each label that is `every` one from the first is written; 0 for a few that have room.
    """
    import pygal

    options = _wide(labels, ".85")
    options["x_labels_major_every"] = every or options["x_labels_major_every"]
    options |= _counted(list(map(sum, zip(*series.values(), strict=True))))
    return _over_time(pygal.StackedBar(**options), name, labels, series)


def line(
    name: str, labels: Sequence[str], series: Mapping[str, Sequence[float | None]],
    most: float | None = None,
) -> str:  # fmt: skip
    """Lines in the order of time from 0 on, to `most` where that is given."""
    import pygal

    options = {**_wide(labels, ".15"), "fill": len(series) == 1, "dots_size": 2.5}
    values = [value for row in series.values() for value in row if value is not None]
    options["range"] = (0, most or max([*values, 1]))
    options |= {} if most else _counted(values)
    return _over_time(pygal.Line(**options), name, labels, series)


def _over_time(
    chart: Any, name: str, labels: Sequence[str], series: Mapping[str, Sequence[float | None]]
) -> str:
    for title, values in series.items():
        chart.add(title, list(values))
    return _svg(chart, name, labels[::-1])


def _counted(values: Sequence[float]) -> dict[str, Any]:
    """Marks for an axis of counts, at most five and none between two whole numbers."""
    if not values or not all(float(value).is_integer() for value in values):
        return {}
    most = max(1, int(max(values)))
    scale: int = 10 ** max(0, len(str(most)) - 2)
    step = next(step for factor in (1, 2, 5, 10, 20, 50) if (step := factor * scale) * 4 >= most)
    return {"y_labels": list(range(0, most + step, step))}


def _wide(labels: Sequence[str], opacity: str) -> dict[str, Any]:
    """The options of a chart over time. It has no legend: the page says what its colours mean."""
    options = _options(0)
    options["style"].opacity = opacity
    return {
        **options, "width": 460, "height": 190, "spacing": 4, "show_legend": False,
        "include_x_axis": True, "show_x_guides": False, "show_minor_x_labels": False,
        "x_labels_major_every": max(1, -(-len(labels) // 5)), "margin": 4, "max_scale": 5,
        "min_scale": 2, "truncate_label": LABEL, "value_formatter": lambda value: f"{value:,.6g}",
    }  # fmt: skip


def _short(label: str) -> str:
    return label if len(label) <= LABEL else f"{label[: LABEL - 1]}…"


def _bar(value: Bar) -> Any:
    if value is None:
        return None
    middle, low, high = value
    return {"value": middle, "ci": {"low": low, "high": high}}


def _options(rows: int) -> dict[str, Any]:
    from pygal.style import Style

    style = Style(
        background="transparent", plot_background="transparent", foreground="var(--text)",
        foreground_strong="var(--text)", foreground_subtle="var(--faint)", colors=COLOURS,
        font_family="inherit", label_font_size=11, major_label_font_size=11, legend_font_size=12,
        guide_stroke_color="var(--faint)", major_guide_stroke_color="var(--faint)", opacity=".85",
        ci_colors=("var(--text)",) * len(COLOURS), transition="0s",
    )  # fmt: skip
    return {
        "style": style, "js": [], "width": 440, "height": 90 + 17 * rows, "margin": 6,
        "legend_at_bottom": True, "legend_at_bottom_columns": 2,
        "truncate_legend": 30, "no_prefix": False, "spacing": 6,
        "value_formatter": lambda value: f"{value:.2f}", "disable_xml_declaration": True,
    }  # fmt: skip


def _svg(chart: Any, name: str, labels: Sequence[str]) -> str:
    """The picture alone: without pygal's script, comments and tooltips."""
    chart.uuid = name
    chart.x_labels = [_short(label) for label in labels][::-1]
    root = chart.render_tree()
    for parent in root.iter():
        if parent is not root:
            parent.attrib.pop("id", None)
        for child in list(parent):
            words = child.get("class", "") if isinstance(child.tag, str) else "script"
            if "tooltip-overlay" in words or words == "script" or child.tag.endswith("script"):
                parent.remove(child)
    return ElementTree.tostring(root, encoding="unicode")
