"""`memgit harvest`: what past sessions taught, as proposals, with the words that they rest on."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from memgit.domain.proposals.applying import Settled, settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.spending import open_model
from memgit.domain.store import Store
from memgit.domain.transcripts.reader import sessions
from memgit.domain.transcripts.turns import turns
from memgit.errors import UsageError
from memgit.output import printer, progress
from memgit.passes.harvest import Harvested
from memgit.passes.harvest import harvest as harvested
from memgit.ports.claude_code import projects_dir
from memgit.ports.model.door import Model


@click.command(
    epilog="Example: memgit harvest ~/.claude/projects/-home-me-app/1b2c.jsonl --dry-run   "
    "memgit harvest --transcripts ~/.claude/projects/-home-me-app"
)
@click.argument("session", required=False, type=click.Path(path_type=Path))
@click.option("--transcripts", type=click.Path(path_type=Path), metavar="DIR",
              help="Every session below a folder, one after the other.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Ask and show, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one session a line.")
@click.pass_obj
def harvest(
    store: str | None, session: Path | None, transcripts: Path | None, dry_run: bool, as_json: bool
) -> int:
    """Ask a model what sessions taught, and hand that on as proposals.

    What no guard refuses is applied, one commit each; the rest waits for `memgit review`. A model
    is asked once a session (more often beyond 200 turns); the day's cap is in memgit.toml. Exit
    code 1 where nothing was found.
    """
    at = Store.find(store)
    shown = printer(as_json)
    some = False
    model: Model = open_model(at)
    for path in _paths(session, transcripts):
        now = datetime.now(UTC)
        with progress(path.stem[:8]) as told:
            done = harvested(at, list(turns(path)), model, now, told)
        settled = settle(at, done.proposals, now, dry_run)
        some = some or bool(done.proposals)
        shown.value(_row(path, model, done, settled), _text(path, model, done, settled, dry_run))
    return 0 if some else 1


def _paths(session: Path | None, folder: Path | None) -> list[Path]:
    if bool(session) == bool(folder):
        hint = f"those of Claude Code lie below {projects_dir()}"
        raise UsageError("name one session, or a folder with --transcripts", hint)
    if session:
        if not session.is_file():
            raise UsageError(f"{session}: no such file", "name the .jsonl of a session")
        return [session]
    if folder and not folder.is_dir():
        raise UsageError(f"{folder}: no such folder", "name a folder with transcripts")
    return sessions(folder) if folder else []


def _row(path: Path, model: Model, done: Harvested, settled: Settled) -> dict[str, Any]:
    usage = done.usage
    return {
        "session": path.stem,
        "door": model.name,
        "model": usage.model,
        "calls": done.windows,
        "tokens": {"in": usage.input, "out": usage.output, "cached": usage.cached},
        "dollars": usage.dollars,
        "note": done.note,
        "applied": [{**one.proposal.as_json(), "commit": one.commit} for one in settled.applied],
        "waiting": [one.as_json() for one in settled.waiting],
        "settled": [{"id": one.proposal.id, "why": one.why} for one in settled.dropped],
        "known": list(done.known),
        "dropped": [vars(one) for one in done.dropped],
    }


def _text(path: Path, model: Model, done: Harvested, settled: Settled, dry_run: bool) -> str:
    usage = done.usage
    paid = f", ${usage.dollars:.4f}" if usage.dollars else ""
    lines = [
        f"{path.stem}: {done.note or f'{done.windows} calls of {model.name}'}, "
        f"{usage.input + usage.cached:,} tokens in, {usage.output:,} out{paid}"
    ]
    would = "would be " if dry_run else ""
    for one in settled.applied:
        commit = f" ({one.commit[:10]})" if one.commit else ""
        lines += [f"  {would}applied: {_told(one.proposal)}{commit}", *_words(one.proposal)]
    for proposal in settled.waiting:
        lines += [f"  {would}waiting {proposal.id}: {_told(proposal)}", *_words(proposal)]
        lines += [f"      {one.guard}: {one.why}" for one in proposal.refusals]
    lines += [f"  known: {name}" for name in done.known]
    lines += [f"  settled before: {_told(one.proposal)}: {one.why}" for one in settled.dropped]
    lines += [f"  dropped: {one.name}: {one.why}" for one in done.dropped]
    return "\n".join(lines)


def _told(proposal: Proposal) -> str:
    return f"{proposal.kind} {proposal.told}"


def _words(proposal: Proposal) -> Iterable[str]:
    for one in proposal.evidence:
        yield f"      {one.role}: “{one.quote}”"
