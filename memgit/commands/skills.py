"""`memgit skills`: procedures that sessions repeat, from counting to a skill that a person admits.

The one rule: a person says yes, to a text that was shown whole. Nothing here does so by itself.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from memgit.commands import _skills_shown as shown
from memgit.commands._help import examples
from memgit.commands._operation import provenance, report, with_provenance
from memgit.commands.sessions import TRANSCRIPTS, synced
from memgit.domain.proposals.applying import settle
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.sessions.index import SessionIndex
from memgit.domain.skills import checking, drafting, promoting
from memgit.domain.skills import report as reporting
from memgit.domain.skills.draft import Draft, draft_of, drafts
from memgit.domain.skills.gates.text import bad_name
from memgit.domain.spending import open_model
from memgit.domain.store import Store, recorded_store
from memgit.errors import StoreError, UsageError
from memgit.output import paging, printer, say, visible
from memgit.passes.demote import let_go, proposals
from memgit.ports.agent_skills import personal_folder
from memgit.ports.claude_code import projects_dir

READ = 12
"""Characters of a draft's digest by which a person says which text was read."""

AN_AGENT = "CLAUDECODE"
"""The variable that Claude Code sets for what its model runs."""


@click.group(epilog=examples("memgit skills detect"))
def skills() -> None:
    """Count procedures that sessions repeat; draft, check and promote a skill by hand."""


@skills.command(epilog=examples("memgit skills detect --json"))
@TRANSCRIPTS
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one procedure a line.")
@click.pass_obj
def detect(store: str | None, folder: Path | None, as_json: bool) -> int:
    """Show the procedures that three or more sessions repeat, with what failed first and what that
    cost. No model is asked. Without a store they are counted all the same, and nothing is kept.

    Exit code 1 when there is none: that nothing is worth drafting is a right answer.
    """
    with _index(store) as index:
        synced(index, folder)
        where = (folder or projects_dir()).resolve()
        found = drafting.detect(index, where)
        gone = index.gone()
    with paging(as_json) as out:
        for one in found:
            out.value(shown.row(one), partial(shown.procedure, one, gone))
    if not found:
        say("no procedure is repeated by three sessions: nothing is worth drafting")
    return int(not found)


@skills.command(
    epilog=examples("memgit skills draft mise-fmt-lint-test --name check-before-commit")
)
@click.argument("procedure")
@click.option("--name", help="What the skill is to be called; else what detect calls it.")
@click.option("--with-model", is_flag=True, help="Let the store's model word four fields.")
@TRANSCRIPTS
@with_provenance
@click.pass_obj
def draft(
    store: str | None, procedure: str, name: str | None, with_model: bool, folder: Path | None,
    because: str, actor: str, as_json: bool,
) -> int:  # fmt: skip
    """Write PROCEDURE, as detect names it, as a draft into drafts/skills/, in one commit.

    What does not pass the gates is not written, and told. Exit code 1 then.
    """
    opened = Store.find(store)
    with _index(store) as index:
        synced(index, folder)
        detected = drafting.detect(index, (folder or projects_dir()).resolve())
        found = {one.procedure.name: one for one in detected}
        if procedure not in found:
            raise UsageError(f"{procedure}: no such procedure", "`memgit skills detect` names them")
        if bad := bad_name(name or procedure):
            raise UsageError(bad, "give another --name")
        model = open_model(opened) if with_model else None
        made = drafting.drafted(name or procedure, found[procedure], model)
        faults = checking.check(opened, made, checking.scene_of(opened, index), _now())
    for fault in faults:
        say(str(fault))
    if faults:
        say(f"{made.name} was not written: {shown.some(len(faults), 'fault')}")
        return 1
    report(drafting.write(opened, made, provenance(actor, because)), as_json)
    say(f"read it: {opened.root / made.path}; then: memgit skills promote {made.name}")
    return 0


@skills.command(epilog=examples("memgit skills check"))
@click.argument("names", metavar="[NAME]...", nargs=-1)
@TRANSCRIPTS
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one draft a line.")
@click.pass_obj
def check(store: str | None, names: Sequence[str], folder: Path | None, as_json: bool) -> int:
    """Run the gates over these drafts, or all. What passed may be promoted until it is edited.

    Exit code 1 when a gate stands against one.
    """
    opened = Store.find(store)
    chosen = [draft_of(opened, name) for name in names] or drafts(opened)
    out = printer(as_json)
    failed = False
    with _index(store) as index:
        synced(index, folder)
        scene = checking.scene_of(opened, index, say)
        for one in chosen:
            faults = checking.check(opened, one, scene, _now())
            failed |= bool(faults)
            out.value(shown.checked(one, faults, READ), partial(shown.check, one, faults, READ))
    if not chosen:
        say("there are no drafts")
    return int(failed)


@skills.command(epilog=examples("memgit skills promote check-before-commit --to ~/.claude/skills"))
@click.argument("name")
@click.option("--to", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="The skills folder that gets it; else the person's own.")  # fmt: skip
@click.option("--read", metavar="DIGEST",
              help="Say yes without a terminal, to the text of this digest.")  # fmt: skip
@with_provenance
@click.pass_obj
def promote(
    store: str | None, name: str, folder: Path | None, read: str | None, because: str, actor: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Show a draft whole with its gates, ask, and copy it into a skills folder; one commit.

    It must have passed `memgit skills check` as it stands. An agent is refused. `memgit undo` and
    `memgit skills demote` take it back. Exit code 1 when the answer is no.
    """
    opened = Store.find(store)
    if actor != "user" or os.environ.get(AN_AGENT):
        raise UsageError("a person promotes a skill, no agent", "type it in a terminal of your own")
    one = draft_of(opened, name)
    with _index(store) as index:
        _expect_checked(opened, one, index)
    target = (folder or personal_folder()).expanduser().resolve()
    click.echo(visible(one.data.decode("utf-8", "replace")), err=as_json)
    say(f"every gate is passed; digest {one.digest[:READ]}; it would go to {target}")
    if not _said_yes(one, read):
        say("nothing was promoted")
        return 1
    report(promoting.promote(opened, one, target, _now(), provenance(actor, because)), as_json)
    return 0


@skills.command(epilog=examples("memgit skills demote check-before-commit"))
@click.argument("name")
@with_provenance
@click.pass_obj
def demote(store: str | None, name: str, because: str, actor: str, as_json: bool) -> None:
    """Take a promoted skill out of the skills folder again; its draft stays. One commit."""
    report(promoting.demote(Store.find(store), name, provenance(actor, because)), as_json)


@skills.command("report", epilog=examples("memgit skills report"))
@TRANSCRIPTS
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one skill a line.")
@click.pass_obj
def report_(store: str | None, folder: Path | None, as_json: bool) -> None:
    """What was detected, drafted, refused and why, promoted, used; and what to demote."""
    opened = Store.find(store)
    with _index(store) as index:
        synced(index, folder)
        found = drafting.detect(index, (folder or projects_dir()).resolve())
        told = [one.procedure for one in found]
        rows = reporting.report(opened, index, checking.scene_of(opened, index), _now(), told)
    with paging(as_json) as out:
        for row in rows:
            out.value(vars(row), partial(shown.state, row))
    rest = sum(row.state == "detected" for row in rows)
    say(f"{shown.some(len(found), 'procedure')} detected, "
        f"{shown.some(len(rows) - rest, 'draft or refusal', 'drafts or refusals')}")  # fmt: skip


@skills.command(epilog=examples("memgit skills unused"))
@TRANSCRIPTS
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one skill a line.")
@click.pass_obj
def unused(store: str | None, folder: Path | None, as_json: bool) -> None:
    """Propose to demote skills that were not called for 30 days, or of which a command or path is
    gone. Each waits for `memgit review`; one that was turned down is not proposed again.
    """
    opened = Store.find(store)
    found: list[Proposal] = []
    if promoting.promotions(opened):
        with _index(store) as index:
            synced(index, folder)
            found = list(proposals(opened, index, checking.scene_of(opened, index), _now()))
    gone = let_go(opened, found)
    done = settle(opened, found)
    out = printer(as_json)
    for one in done.waiting:
        out.value(one.as_json(), f"waits as {one.id}: demote {one.name}: {one.because}")
    for dropped in done.dropped:
        say(f"not proposed: {dropped.proposal.name}: {dropped.why}")
    said = f"; {gone} let go, whose reason is gone" if gone else ""
    waits = "waits" if len(done.waiting) == 1 else "wait"
    many = shown.some(len(done.waiting), "skill")
    say(f"{many} to demote {waits} for `memgit review`{said}")


def _expect_checked(store: Store, one: Draft, index: SessionIndex) -> None:
    """Raise StoreError where the draft was not checked as it stands, or would not pass by now."""
    if not checking.is_checked(store, one):
        known = checking.every_check(store).get(one.name)
        what = ("was edited since its check" if known and known.digest != one.digest
                else "did not pass its check" if known else "was never checked")  # fmt: skip
        raise StoreError(f"{one.path} {what}", f"run `memgit skills check {one.name}` first")
    if faults := checking.check(store, one, checking.scene_of(store, index, say), _now()):
        raise StoreError(f"refused: {faults[0]}", f"`memgit skills check {one.name}` tells all")


def _said_yes(one: Draft, read: str | None) -> bool:
    """Whether the person says yes to this very text. Raises UsageError where nobody is there to."""
    if read is not None:
        if len(read) < READ or not one.digest.startswith(read):
            raise UsageError(f"--read {read}: the text has the digest {one.digest[:READ]}")
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "nobody can be asked here", f"in a terminal, or with --read {one.digest[:READ]}"
        )
    return click.confirm("Promote it?", default=False, err=True)


@contextmanager
def _index(store: str | None) -> Iterator[SessionIndex]:
    """The index of the store, else one that is made for this once."""
    found = Store.meant(store)
    recorded = recorded_store() if found is None else None
    if recorded:
        found = Store.at(recorded)
    if found:
        index = SessionIndex.of(found)
        try:
            yield index
        finally:
            index.close()
        return
    with tempfile.TemporaryDirectory(prefix="memgit-sessions-") as folder:
        index = SessionIndex(Path(folder) / "index.db")
        try:
            yield index
        finally:
            index.close()


def _now() -> datetime:
    return datetime.now(UTC)
