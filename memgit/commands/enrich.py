"""`memgit enrich`: let words that people type lead to memories that do not contain them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from memgit.commands._help import examples
from memgit.commands._operation import SHORT
from memgit.commands._words import MEMORY
from memgit.domain.enriching.applying import BY
from memgit.domain.enriching.applying import enrich as apply
from memgit.domain.enriching.ledger import Enriched
from memgit.domain.memory import Memory
from memgit.domain.operation import Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.undoing import undo
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.spending import open_model
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError
from memgit.evaluation import battery
from memgit.evaluation.built_store import cache_dir
from memgit.evaluation.corpus import Case
from memgit.evaluation.keeping import Kept, answers
from memgit.output import page, printer, progress, say
from memgit.passes import enrich as enriching
from memgit.ports.model.door import NOTHING, NoAnswer, Usage

TOLD = 12
"""Words that were not let through, of which the text tells; the JSON has all."""


@dataclass
class Done:
    """What a run did. `stopped` is why the model was asked no more."""

    door: str = ""
    asked: int = 0
    calls: int = 0
    usage: Usage = NOTHING
    proposals: list[Proposal] = field(default_factory=list)
    dropped: list[dict[str, str]] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    kept: Kept | None = None
    undone: str = ""
    stopped: NoAnswer | None = None


@click.command(
    epilog=examples(
        "memgit enrich --ab",
        "memgit enrich staging-database --dry-run     # what would come",
        note="Exits with 1 when --ab took the words back, with 4 when the model stopped answering.",
    )
)
@click.argument("names", nargs=-1, metavar="[NAME]...", type=MEMORY)
@click.option("--dry-run", is_flag=True, help="Ask the model, and change nothing.")
@click.option("--ab", is_flag=True, help="Measure your battery before and after, and keep the "
              "words only if hits, precision and silence do not fall.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def enrich(
    store: str | None, names: tuple[str, ...], dry_run: bool, ab: bool, as_json: bool
) -> int:
    """Ask a model what people would type for memories that are new or changed, or for those named,
    and let such words lead to them: `asked_as` in their metadata, a field of the index of its own.

    Words that the memory contains, that another one answers, that anyone types, or that would bring
    it up where it does not belong are dropped. A run without --ab is a commit for each call to the
    model, with it one commit in all; `memgit undo` takes each back.
    """
    if dry_run and ab:
        raise UsageError("--ab needs the words in place", "leave out --dry-run or --ab")
    opened = Store.find(store)
    cases = _battery(opened) if ab else []
    ledger = Enriched(opened)
    paths = [Catalogue(opened).find(name).path for name in names]
    memories = enriching.due(opened, ledger, paths)
    done = Done()
    for found in _asked(opened, memories, done):
        if not (dry_run or ab):
            _apply(opened, found.proposals, done)
            ledger.add(found.memories)
    if ab:
        _keep_or_undo(opened, cases, done)
        ledger.add(memories[: done.asked])
    printer(as_json).value(_record(done, dry_run), lambda: _text(done, dry_run))
    if done.stopped:
        say(f"memgit: {done.stopped}")
        say(f"  {done.stopped.hint}" if done.stopped.hint else "  run it again to go on")
        return done.stopped.exit_code
    return int(bool(done.undone))


def _battery(store: Store) -> list[Case]:
    cases, faults = battery.read(store)
    for fault in faults[:TOLD]:
        say(str(fault))
    if not cases:
        raise StoreError(
            f"{battery.battery_file(store)}: no prompt is answered", "`memgit eval collect` asks"
        )
    return cases


def _asked(store: Store, memories: Sequence[Memory], done: Done) -> Iterator[enriching.Found]:
    """What each call brings, until all are asked about or the model answers no more."""
    if not memories:
        return
    try:
        model = open_model(store)
        done.door = model.name
        with progress(f"asking {model.name}") as told:
            for found in enriching.enrich(store, model, memories):
                done.asked += len(found.memories)
                done.calls += 1
                done.usage = _both(done.usage, found.usage)
                done.proposals += found.proposals
                done.dropped += [
                    {"name": name, "words": words, "why": why}
                    for name, rows in found.dropped.items()
                    for words, why in rows.items()
                ]
                told(done.asked, len(memories))
                yield found
    except NoAnswer as fault:
        done.usage = _both(done.usage, fault.usage)
        done.stopped = fault


def _both(one: Usage, more: Usage) -> Usage:
    return Usage(one.input + more.input, one.output + more.output, one.cached + more.cached,
                 one.dollars + more.dollars)  # fmt: skip


def _apply(store: Store, proposals: Sequence[Proposal], done: Done) -> None:
    if proposals and (commit := apply(store, proposals, BY).commit):
        done.commits.append(commit)


def _keep_or_undo(store: Store, cases: Sequence[Case], done: Done) -> None:
    """Put the words in place, measure, and take all of them back where a figure fell."""
    if not done.proposals:
        return
    head, cache = store.repository.head() or "HEAD", cache_dir()
    say(f"measuring {len(cases)} prompts without the words")
    before = answers(store, head, cases, cache)
    _apply(store, done.proposals, done)
    if not done.commits:
        return
    say(f"measuring {len(cases)} prompts with them")
    done.kept = Kept(before, answers(store, done.commits[0], cases, cache))
    if fell := done.kept.fell:
        why = Provenance("enrich", f"the battery fell: {', '.join(fell)}")
        done.undone = undo(store, done.commits[0], why).commit or ""


def _record(done: Done, dry_run: bool) -> dict[str, Any]:
    return {
        "door": done.door,
        "asked": done.asked,
        "calls": done.calls,
        "usage": vars(done.usage),
        "memories": [{"name": one.name, "words": one.to.split(", ")} for one in done.proposals],
        "dropped": done.dropped,
        "dry_run": dry_run,
        "commits": done.commits,
        "ab": done.kept.record() if done.kept else None,
        "undone": done.undone,
        "stopped": str(done.stopped or ""),
    }


def _text(done: Done, dry_run: bool) -> str:
    if not done.asked:
        if done.stopped:
            return "nothing was changed"
        return "no memory is new or changed since it was asked about"
    usage = done.usage
    cost = f", {usage.dollars:.4f} dollars" if usage.dollars else ""
    lines = [
        ("", f"asked {done.door} about {_count(done.asked, 'memory', 'memories')} in "
             f"{_count(done.calls, 'call', 'calls')}: {usage.input + usage.cached:,} tokens in, "
             f"{usage.output:,} out{cost}", ""),
        *((f"  {one.name}: ", one.to, "") for one in done.proposals),
    ]  # fmt: skip
    if done.dropped:
        lines.append(("", f"not let through: {_count(len(done.dropped), 'word', 'words')}", ""))
        lines += [("  ", f"{row['words']} ({row['name']}): {row['why']}", "dim")
                  for row in done.dropped[:TOLD]]  # fmt: skip
        if len(done.dropped) > TOLD:
            lines.append(("  ", f"and {len(done.dropped) - TOLD} more: --json", "dim"))
    return page([*lines, ("", _outcome(done, dry_run), "")])


def _outcome(done: Done, dry_run: bool) -> str:
    if dry_run:
        return "nothing was changed"
    if not done.commits:
        return "no word is new: nothing was changed"
    where = ", ".join(commit[:SHORT] for commit in done.commits)
    if done.kept is None:
        return f"they lead there now, in {where}; `memgit undo` takes that back"
    if done.undone:
        fell = ", ".join(done.kept.fell)
        return (f"taken back in {done.undone[:SHORT]}, because the battery fell: {fell}; they were "
                f"in {where}")  # fmt: skip
    record = done.kept.record()
    changed = _count(len(record["changes"]), "prompt", "prompts")
    told = ", ".join(f"{name} {_share(old)} → {_share(record['three']['after'][name])}"
                     for name, old in record["three"]["before"].items())  # fmt: skip
    return f"kept in {where}: {told}; {changed} of {record['prompts']} answered otherwise"


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _count(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number:,} {many}"
