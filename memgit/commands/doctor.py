"""`memgit doctor`: what is, and where something is not as it should be, what to do about it.

The one rule: it changes nothing but what is derived: the git hook that it runs to prove that it
works may bring an old index up to date.
"""

import click

from memgit.commands._help import examples
from memgit.domain.examination import examine
from memgit.domain.examination.finding import BAD, OK, WARN, Finding, Scene
from memgit.output import page, paging, progress, say

STYLES = {OK: "", WARN: "yellow", BAD: "bold red"}
"""Only what needs attention stands out."""


@click.command(epilog=examples("memgit doctor --json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one finding a line.")
@click.pass_obj
def doctor(store: str | None, as_json: bool) -> int:
    """Look at the store, its hooks and index, the agent's hook, and what else might be in the way.

    Exit code 1 when something does not work; warnings alone give 0.
    """
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
