"""`memgit save`: commit what an editor or an agent wrote into the store."""

import click

from memgit.commands._help import examples
from memgit.commands.check import tell
from memgit.domain.gates.scope import some
from memgit.domain.gates.table import judge
from memgit.domain.indexing.index import Index
from memgit.domain.operation import Provenance
from memgit.domain.operations.catching_up import catch_up
from memgit.domain.operations.changing import Changed
from memgit.domain.recording import AGENT, farewell
from memgit.domain.saving import Saved
from memgit.domain.saving import save as save_all
from memgit.domain.store import Store
from memgit.output import printer, progress, say, waiting


@click.command(
    epilog=examples("memgit save", "memgit save --actor agent     # from an agent's hook")
)
@click.option(
    "--actor", type=click.Choice(["user", AGENT]), default="user", show_default=True,
    help="Who wrote it. For an agent, files still being written wait.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def save(store: str | None, actor: str, as_json: bool) -> int:
    """Commit the memories that were written, changed or deleted in the store's folder, and
    MEMORY.md and PROFILE.md, as one commit. Whatever the gates find is told, and saved too; only a
    file with a secret stays uncommitted, and the exit code is 1.
    """
    opened = Store.find(store)
    before = opened.repository.head()
    with waiting("saving"):
        done = save_all(opened, actor)
    with progress("indexing") as told:
        Index(opened).sync(told)
    followed = catch_up(opened, before, Provenance(actor))
    findings = judge(some(opened, done.files)) if done.commit else []
    for finding in findings:
        say(str(finding.fault))
    tell(findings)
    printer(as_json).value(
        {
            "commit": done.commit,
            "new": done.new,
            "changed": done.changed,
            "deleted": done.deleted,
            "waiting": done.waiting,
            "demoted": list(done.demoted),
            "labelled": [name for one in followed for name in one.operation.memories[1:]],
            "secrets": [str(fault) for fault in done.secrets],
        },
        lambda: "\n".join([_text(done), *map(_consequence, followed)]),
    )
    return int(bool(done.secrets))


def _consequence(followed: Changed) -> str:
    subject, _, *names = (followed.operation.subject, *followed.operation.memories)
    return f"{subject}: labels changed on {', '.join(names)}"


def _text(done: Saved) -> str:
    lines = [f"{path}: still being written, left for the next time" for path in done.waiting]
    lines += [f"{fault}; take it out, then save again" for fault in done.secrets]
    if done.commit:
        what = ", ".join(done.paths) or "MEMORY.md, made anew,"
        lines.append(f"saved {what} in {done.commit[:12]}")
        lines += filter(None, [farewell(done.demoted)])
    else:
        lines.append("nothing to save")
    return "\n".join(lines)
