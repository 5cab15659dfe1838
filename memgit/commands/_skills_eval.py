"""`memgit eval skills`: what is detected, against procedures that people listed.

The one rule: the transcripts are read where they are, and nothing of them is kept.
"""

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import click

from memgit.commands._help import examples
from memgit.domain.sessions.index import SessionIndex
from memgit.domain.skills.finding import procedures
from memgit.errors import UsageError
from memgit.evaluation.skills_eval import FILE, BadLabels, judge, load, record
from memgit.output import printer, waiting


@click.command(epilog=examples("memgit eval skills ~/labelled-transcripts"))
@click.argument("folder", metavar="PATH",
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def skills(folder: Path, as_json: bool) -> int:
    """Detect procedures in the transcripts below PATH, and judge them by its recurring.json.

    Exit code 0: recall and precision are .8 or more, and no look-alike is among what is reported.
    """
    try:
        listed, lookalikes = load(folder / FILE)
    except (OSError, BadLabels) as fault:
        raise UsageError(f"no labels: {fault}", f"PATH holds transcripts and {FILE}") from None
    with waiting("detecting"), tempfile.TemporaryDirectory(prefix="memgit-eval-") as scratch:
        index = SessionIndex(Path(scratch) / "index.db")
        index.sync(folder.resolve())
        made = record(judge(procedures(index.deeds(folder.resolve())), listed, lookalikes))
        index.close()
    printer(as_json).value(made, partial(_text, made))
    good = made["recall"] >= 0.8 and made["precision"] >= 0.8 and not made["lookalikes"]
    return int(not good)


def _text(made: dict[str, Any]) -> str:
    lines = [f"recall {made['recall']:.2f} of {made['listed']} listed procedures, "
             f"precision {made['precision']:.2f} of {made['reported']} reported, "
             f"{len(made['lookalikes'])} look-alikes"]  # fmt: skip
    lines += [f"  found    {name}: {one}" for name, one in made["matched"].items()]
    lines += [f"  missed   {name}" for name in made["missed"]]
    lines += [f"  not listed  {name}" for name in made["wrong"]]
    lines += [f"  look-alike  {name}: {what}" for name, what in made["lookalikes"].items()]
    return "\n".join(lines)
