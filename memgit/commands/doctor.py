"""`memgit doctor`: what is, and where something is not as it should be, what to do about it.

The one rule: it changes nothing but what is derived: the git hook that it runs to prove that it
works may bring an old index up to date; and `--repair-native`, which imports after a yes.
"""

import click

from memgit.commands._help import examples
from memgit.commands._native import repair
from memgit.domain.examination import examine
from memgit.domain.examination.finding import BAD, OK, WARN, Finding, Scene
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.output import page, paging, progress, say

STYLES = {OK: "", WARN: "yellow", BAD: "bold red"}
"""Only what needs attention stands out."""


@click.command(
    epilog=examples("memgit doctor --json", "memgit doctor --repair-native --root ~/src --dry-run")
)
@click.option(
    "--repair-native", is_flag=True,
    help="Find memories that the agent itself lost track of, and import them.",
)  # fmt: skip
@click.option(
    "--root", "roots", multiple=True, metavar="DIR",
    help="With --repair-native: where moved projects may lie. Repeatable.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="With --repair-native: show it, and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one finding a line.")
@click.pass_obj
def doctor(
    store: str | None, repair_native: bool, roots: tuple[str, ...], dry_run: bool, as_json: bool
) -> int:
    """Look at the store, its hooks and index, the agent's hook, and what else might be in the way.

    Exit code 1 when something does not work; warnings alone give 0.

    --repair-native looks at the memory folders below ~/.claude/projects that no project reads any
    more, or that several share: after a rename, for a work tree, or because two paths give the same
    name there. It shows whose the memories are, and by what evidence: which sessions wrote them,
    which repository holds the commits those name. In a terminal it asks for each, and imports what
    you say yes to. Nothing of the agent's is changed.
    """
    if repair_native:
        return repair(Store.find(store), roots, dry_run, as_json)
    if roots or dry_run:
        raise UsageError("--root and --dry-run go with --repair-native", "add it, or leave them")
    with progress("examining") as told:
        found = list(examine(Scene.around(store), told))
    with paging(as_json) as shown:
        for subject, finding in found:
            shown.value(_row(subject, finding), _text(subject, finding))
    failing = sum(finding.state == BAD for _, finding in found)
    warned = sum(finding.state == WARN for _, finding in found)
    say(f"{failing} bad, {warned} to know" if failing or warned else "all is well")
    return 1 if failing else 0


def _row(subject: str, finding: Finding) -> dict[str, str | None]:
    return {"subject": subject, "state": finding.state, "says": finding.says,
            "do": finding.do or None}  # fmt: skip


def _text(subject: str, finding: Finding) -> str:
    margin = f"{finding.state:<4}  {subject:<9} "
    text = page([(margin, finding.says, STYLES[finding.state])])
    # Not folded: a command that spans lines cannot be pasted.
    return f"{text}{' ' * (len(margin) - 2)}→ {finding.do}" if finding.do else text
