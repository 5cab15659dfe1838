"""The report of an evaluation as one HTML page that needs nothing else.

The one rule: text of prompts and memories is shown, never obeyed. It is escaped wherever it stands,
and the page itself forbids scripts and any other address.
"""

from collections.abc import Iterable, Mapping
from html import escape

from memgit.evaluation.recall_eval import MEMGIT
from memgit.evaluation.recall_report import Document, Section, hook_line, sections
from memgit.pages import frame
from memgit.ports import charts


def page(made: Document, title: str = "How well memories are recalled") -> str:
    """The whole page."""
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{made['prompts']} labelled prompts of {len(made['stores'])} stores, by memgit "
        f"{escape(made['version'])}. In parentheses: 95 % intervals.</p>",
        f"<p>{escape(hook_line(made))}</p>",
        f'<div class="charts">{"".join(_charts(made))}</div>',
        *map(_section, sections(made)),
        *_missed(made["missed"]),
        *_faults(made["faults"]),
    ]
    return frame.page(title, "\n".join(body))


def _charts(made: Document) -> Iterable[str]:
    contenders: Mapping[str, Document] = made["contenders"]
    kinds = {name: of["by_kind"] for name, of in contenders.items()}
    yield _figure(
        "A right memory among the first two, subject prompts",
        charts.bars(
            "hits", list(kinds),
            {
                title: [_bar(of.get("subject", {}).get(key)) for of in kinds.values()]
                for title, key in (("strict", "hit2"), ("lenient", "hit2_lenient"))
            },
        ),
    )  # fmt: skip
    quiet = [kind for kind in ("uncovered", "chatter", "nothing") if kind in kinds[MEMGIT]]
    if quiet:
        yield _figure(
            "Silence where no memory belongs",
            charts.bars(
                "silence", list(kinds),
                {
                    kind: [_bar(of.get(kind, {}).get("silent")) for of in kinds.values()]
                    for kind in quiet
                },
            ),
        )  # fmt: skip
    stores: Mapping[str, Document] = contenders[MEMGIT]["by_store"]
    if len(stores) > 1:
        subjects = [store["by_kind"].get("subject", {}) for store in stores.values()]
        yield _figure(
            f"{MEMGIT} by store, subject prompts",
            charts.bars(
                "stores", list(stores),
                {
                    title: [_bar(of.get(key)) for of in subjects]
                    for title, key in (("strict", "hit2"), ("lenient", "hit2_lenient"))
                },
            ),
        )  # fmt: skip
    ours = kinds[MEMGIT]
    names = {"right": "right", "also": "one that would do", "wrong": "wrong", "silent": "silent"}
    yield _figure(
        f"What {MEMGIT} did, in prompts",
        charts.stacks(
            "outcomes", list(ours),
            {
                title: [of["outcomes"][key] for of in ours.values()]
                for key, title in names.items()
            },
        ),
    )  # fmt: skip


def _bar(figure: Document | None) -> charts.Bar:
    if not figure or figure["value"] is None:
        return None
    return figure["value"], figure["low"], figure["high"]


def _figure(caption: str, svg: str) -> str:
    return frame.figure(escape(caption), svg)


def _section(section: Section) -> str:
    columns = [escape(column) for column in section.columns]
    rows = [[escape(cell) for cell in row] for row in section.rows]
    title = escape(section.title)
    return f"<h2>{title}</h2><p>{escape(section.note)}</p>{frame.table(columns, rows, title)}"


def _missed(missed: list[Document]) -> Iterable[str]:
    if missed:
        yield f"<h2>What went wrong ({len(missed)})</h2>"
        yield "<p>What was shown, what belongs to the prompt, and the terms that did it.</p>"
    for one in missed:
        facts = " · ".join(filter(None, (one["store"], one["id"], one["kind"], one["lang"])))
        items = [
            f'<li><span class="{"wrong" if memory["verdict"] == "wrong" else "right"}">shown, '
            f"{escape(memory['verdict'])}</span>: {_memory(memory)}</li>"
            for memory in one["shown"]
        ]
        items += [
            f"<li>belongs, held back at place {memory['place']}: {_memory(memory)}</li>"
            for memory in one["held_back"]
        ]
        items += [
            f"<li>belongs, not among the candidates: <code>{escape(name)}</code></li>"
            for name in one["not_found"]
        ]
        yield (
            f"<details><summary><b>{escape(one['what'])}</b> — {escape(_line(one['prompt']))}"
            f"</summary><blockquote>{escape(one['prompt'])}</blockquote>"
            f"<ul>{''.join(items)}</ul><p>{escape(facts)}</p></details>"
        )


def _memory(memory: Document) -> str:
    terms = ", ".join(f"{term} {weight:.1f}" for term, weight in memory["terms"].items())
    return (
        f"<code>{escape(memory['path'])}</code> with {memory['score']:.2f}"
        + (f" by {escape(terms)}" if terms else ", named in the prompt")
    )  # fmt: skip


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:90]}…"


def _faults(faults: list[str]) -> Iterable[str]:
    if faults:
        items = "".join(f"<li><code>{escape(fault)}</code></li>" for fault in faults)
        yield f"<h2>Rows that could not be read ({len(faults)})</h2><ul>{items}</ul>"
