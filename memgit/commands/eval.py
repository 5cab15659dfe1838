"""`memgit eval`: recall measured on labelled prompts, a battery of one's own, a change judged.

The one rule: nothing here changes a memory; the battery and the log of prompts lie with the
store's derived data, and only after the person has said yes.
"""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from memgit.commands._claims_eval import claims
from memgit.commands._curate_eval import curate_eval
from memgit.commands._help import examples
from memgit.commands._skills_eval import skills
from memgit.domain.indexing.index import Index
from memgit.domain.settings import FILE
from memgit.domain.store import Store
from memgit.errors import Fault, UsageError
from memgit.evaluation import battery, built_store, corpus, prose
from memgit.evaluation.answers import asked
from memgit.evaluation.compare import WORSE, Comparison
from memgit.evaluation.recall_eval import Measured, evaluate
from memgit.evaluation.recall_report import Document, document, hook_line, sections
from memgit.output import coloured, page, printer, progress, say, table, waiting
from memgit.ports.claude_code import projects_dir

LISTED = 12
"""Prompts that went wrong which the text report lists; the JSON and the page have all."""

Folder = click.Path(exists=True, file_okay=False, path_type=Path)
_cache = click.option(
    "--cache", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Where stores that were built to be measured are kept.",
)  # fmt: skip
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group(epilog=examples("memgit eval recall --battery"))
def eval() -> None:
    """Measure recall on labelled prompts, yours or a corpus, and how right the other passes are."""


eval.add_command(claims)
eval.add_command(curate_eval)
eval.add_command(skills)


@eval.command(epilog=examples("memgit eval recall ~/corpus --out report"))
@click.argument("folders", metavar="CORPUS...", nargs=-1, type=Folder)
@click.option("--battery", "own", is_flag=True, help="Measure on the battery that collect made.")
@click.option(
    "--chatter", "idle", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE", help="Prompts that need nothing; else a chatter.jsonl beside CORPUS.",
)  # fmt: skip
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Also write the report there as one page, recall.html.")  # fmt: skip
@_cache
@_json
@click.pass_obj
def recall(
    store: str | None, folders: tuple[Path, ...], own: bool, idle: Path | None, out: Path | None,
    cache: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Put each labelled prompt to the real prompt path, and to FTS5 and plain Whoosh beside it.

    CORPUS is a folder of stores, or one store of it: notes/, prompts.jsonl, and labels.jsonl in it
    or beside it. The first run builds an index for each store; later ones find it in the cache.
    """
    if bool(folders) == own:
        raise UsageError("name a CORPUS, or say --battery", "see `memgit eval recall --help`")
    held = built_store.made(cache) if cache else built_store.cache_dir()
    out = out and built_store.made(out)
    opened = Store.find(store) if own else None
    with waiting("building"):
        if opened:
            measured, faults = _battery(opened, None, held)
        else:
            found, faults = corpus.load_all(folders)
            measured = [_of_corpus(one, built_store.SETTINGS, held) for one in found]
    _tell(faults)
    idle = idle or corpus.chatter_beside(folders)
    quiet, wrong = corpus.chatter(idle) if idle else ([], [])
    _tell(wrong)
    with progress("measuring") as told:
        made = document(evaluate(measured, quiet, told), [*faults, *wrong])
    if opened:
        battery.keep_run(opened, made, datetime.now(UTC))
    if out:
        from memgit.evaluation.recall_page import page as html

        (out / "recall.html").write_text(html(made), "utf-8", "replace")
        say(f"wrote {out / 'recall.html'}")
    printer(as_json).value(made, partial(_report, made))


@eval.command(epilog=examples("memgit eval compare HEAD~1"))
@click.argument("revision", metavar="REV")
@click.option(
    "--corpus", "folders", multiple=True, type=Folder, metavar="CORPUS",
    help="Judge on its prompts and notes, under the settings of either side.",
)  # fmt: skip
@_cache
@_json
@click.pass_obj
def compare(
    store: str | None, revision: str, folders: tuple[Path, ...], cache: Path | None, as_json: bool
) -> int:
    """Tell what the change from REV to the work tree did to the battery, prompt by prompt.

    A difference counts only where chance would make one as large in less than 1 of 20 cases.
    Exit code 0: no worse; 1: worse.
    """
    opened = Store.find(store)
    held = built_store.made(cache) if cache else built_store.cache_dir()
    if folders:
        found, faults = corpus.load_all(folders)
        commit = built_store.commit_of(opened, revision)
        old = opened.repository.run("show", f"{commit}:{FILE}").encode()
        now = opened.content(FILE)
        sides = [[_of_corpus(one, data, held) for one in found] for data in (old, now)]
    else:
        before, faults = _battery(opened, revision, held)
        sides = [before, _battery(opened, None, held)[0]]
    _tell(faults)
    answers = []
    for name, side in zip((revision, "the work tree"), sides, strict=True):
        with waiting(f"asking {name}"):
            answers.append(
                [asked(m.built.held_out(case.prompt), case) for m in side for case in m.cases]
            )
    made = Comparison(answers[0], answers[1])
    record = made.record()
    printer(as_json).value(record, partial(_compared, record))
    return 1 if made.verdict == WORSE else 0


@eval.command(epilog=examples("memgit eval collect"))
@click.option("--transcripts", type=Folder, metavar="DIR",
              help="Where the transcripts are; else Claude Code's own folder.")  # fmt: skip
@click.pass_obj
def collect(store: str | None, transcripts: Path | None) -> None:
    """Say for prompts that you typed which memories belong to them: one key each.

    What you say is kept at once; start it again to go on. Repeated prompts are asked once, in an
    order that mixes sessions. Battery and log hold your own words: they lie in the repository's git
    folder and are never committed. What no engine here finds is not offered, so a battery cannot
    show what recall misses altogether.
    """
    opened = Store.find(store)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("this asks questions", "run it in a terminal")
    found = battery.questions(transcripts or projects_dir())
    if not found:
        raise UsageError(f"{transcripts or projects_dir()}: no prompt was typed here")
    _ask_for_log(opened, found)
    done = battery.answered(opened)
    Index(opened).sync()
    _ask_all(opened, [question for question in found if question.id not in done], len(found))
    say(f"the battery is {battery.battery_file(opened)}; measure: memgit eval recall --battery")


@eval.command(epilog=examples("memgit eval falsehoods --held-out"))
@click.option("--held-out", is_flag=True, help="The facts that no guard was made with.")
@click.option("--each", type=click.IntRange(1), metavar="N", help="Only so many facts a way.")
@_json
def falsehoods(held_out: bool, each: int | None, as_json: bool) -> None:
    """Harvest sessions that hold falsehoods, and sessions that tell later values; then ask recall.

    The model is scripted: it believes every session, and is sure. Stores are made for it and go
    again; nothing else is touched. Takes half a minute.
    """
    from memgit.evaluation.believing import measure, report
    from memgit.passes.harvest import harvest

    with progress("harvesting") as told:
        found = measure(lambda *given: harvest(*given).proposals, each, held_out, told)
    made = report(found)
    printer(as_json).value(made, lambda: _believed(made))


def _believed(made: dict[str, Any]) -> str:
    rows = [
        (row["way"], "true" if row["is_true"] else "false", str(row["sessions"]),
         str(row["applied"]), str(row["waiting"]), str(row["asserted"]), str(row["first"]),
         ", ".join(row["guards"]))
        for row in made["ways"]
    ]  # fmt: skip
    head = (
        f"{made['falsehoods']} falsehoods: {made['asserted']:.1%} asserted by recall, "
        f"{made['left to a person']:.1%} left to a person\n"
        f"{made['later values']} later values: {made['first']:.1%} first in recall\n"
        f"model {made['model']}\n\n"
    )
    columns = ("way", "is", "sessions", "applied", "waiting", "asserted", "first", "refused by")
    return head + table(columns, rows)


def _ask_for_log(store: Store, found: Sequence[battery.Question]) -> None:
    """Keep the person's prompts for the calibration of the gate, if the person wants that."""
    path = battery.log_file(store)
    if not path.is_file():
        say(f"May the gate learn from your {len(found)} prompts what you say often? Their text is")
        say(f"then kept in {path}, on this machine only. [y/n]")
        if _key("yn") != "y":
            return
    battery.keep_log(store, [question.prompt for question in found])


def _ask_all(store: Store, left: Sequence[battery.Question], total: int) -> None:
    """Ask until the person quits or nothing is left; `u` goes back by one."""
    offers = battery.Offers(store)
    at = 0
    while at < len(left):
        question = left[at]
        offered, shown = offers.of(question)
        told = [(memory.name, offers.about(memory)) for memory in offered]
        click.clear()
        lines = prose.question(question, told, shown, f"{total - len(left) + at + 1} of {total}")
        click.echo(coloured(page(lines)), nl=False)
        key = _key("ynsuq" + battery.DIGITS[: len(offered)])
        if key == "q":
            return
        if key == "u":
            at = max(0, at - 1)
            continue
        chosen = {"y": offered[:shown], "n": [], "s": None}.get(key)
        if key.isdigit():
            chosen = [offered[int(key) - 1]]
        names = None if chosen is None else [memory.name for memory in chosen]
        battery.record(store, question, names)
        at += 1


def _key(allowed: str) -> str:
    """The next key that means something here; Ctrl-C and Ctrl-D end it."""
    while True:
        pressed = click.getchar().lower()
        if not pressed or pressed[0] in "\x03\x04":
            raise click.Abort
        if pressed[0] in allowed:  # an arrow or a function key starts with an escape
            return pressed[0]


def _battery(store: Store, revision: str | None, held: Path) -> tuple[list[Measured], list[Fault]]:
    """The store at a commit, or as it stands, with the person's battery."""
    cases, faults = battery.read(store)
    built = built_store.of_store(store, revision, battery.logged(store), held)
    return [Measured(store.root.name, built, cases)], faults


def _of_corpus(store: corpus.LabelledStore, settings: bytes, held: Path) -> Measured:
    built = built_store.of_notes(store.notes, settings, store.log, held)
    return Measured(store.name, built, store.cases)


def _tell(faults: Sequence[Fault]) -> None:
    for fault in faults[:LISTED]:
        say(str(fault))
    if len(faults) > LISTED:
        say(f"and {len(faults) - LISTED} more rows that cannot be read")


def _report(made: Document) -> str:
    parts = [f"{made['prompts']} labelled prompts of {len(made['stores'])} stores\n"]
    for section in sections(made):
        parts.append(f"\n{section.title}\n{page([('', section.note, 'dim')])}")
        parts.append(table(section.columns, section.rows))
    parts.append("\n" + page([("", hook_line(made), "")]))
    missed = made["missed"]
    if missed:
        parts.append(f"\nWhat went wrong, {min(LISTED, len(missed))} of {len(missed)} prompts\n")
        parts += [page(prose.missed(one)) for one in missed[:LISTED]]
        parts.append("All of them, with every term: --json, or --out DIR\n")
    return "".join(parts)


def _compared(record: dict[str, Any]) -> str:
    lines = prose.changes(record)
    return page([*lines, ("", "", "")] if lines else []) + prose.verdict(record)
