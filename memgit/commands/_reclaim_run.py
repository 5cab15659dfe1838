"""`memgit reclaim run`: trials with a rule, or a model, as the reader; every prompt is kept.

The one rule: a run goes on where it was stopped, and a rule is never called a model.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from shlex import quote

import click

from memgit.commands._help import examples
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn
from memgit.errors import UsageError
from memgit.evaluation.reclaim.adapters import ADAPTERS, nobody
from memgit.evaluation.reclaim.model_readers import DoorReader, ServerReader
from memgit.evaluation.reclaim.notes import POLICIES
from memgit.evaluation.reclaim.problem import FAMILIES
from memgit.evaluation.reclaim.readers import Reader, Rule
from memgit.evaluation.reclaim.running import Runner
from memgit.evaluation.reclaim.running import run as run_trials
from memgit.evaluation.reclaim.slots import multiwoz
from memgit.evaluation.reclaim.trial import CONDITIONS, plan
from memgit.output import printer, progress, say
from memgit.passes.harvest import harvest
from memgit.ports.model.choosing import DOORS, choose
from memgit.ports.model.door import Model
from memgit.ports.model.server import FORMS, OPENAI, Server
from memgit.ports.scratch import scratch

RULES = ("answers", "abstains")


@click.command(
    epilog=examples(
        "memgit reclaim run --out run.jsonl --condition wall --problems 4",
        "memgit reclaim run --out run.jsonl --url http://127.0.0.1:8080 --model my-model",
    )
)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path),
              metavar="FILE", help="Where rows go; what it holds is not run again.")  # fmt: skip
@click.option("--condition", "conditions", multiple=True, type=click.Choice(list(CONDITIONS)),
              help="What is measured, more than once; else all but `others`.")  # fmt: skip
@click.option("--family", "families", multiple=True, type=click.Choice(FAMILIES),
              help="Only these kinds of problems.")  # fmt: skip
@click.option("--policy", "policies", multiple=True, type=click.Choice([*POLICIES, *ADAPTERS]),
              help="Only these ways to write a note.")  # fmt: skip
@click.option("--size", "sizes", multiple=True, metavar="N", type=click.IntRange(1, 64),
              help="Only ledgers of so many items, and chains of so many sessions.")  # fmt: skip
@click.option("--problems", default=8, show_default=True, type=click.IntRange(1, 1000),
              help="Of each family and seed.")  # fmt: skip
@click.option("--seeds", default=1, show_default=True, type=click.IntRange(1, 100),
              help="Sets of problems.")  # fmt: skip
@click.option("--reader", default="answers", show_default=True,
              type=click.Choice([*RULES, *DOORS]),
              help="Two rules, which are no models, or a door to one.")  # fmt: skip
@click.option("--url", metavar="URL", help="A model server of this machine, as the reader.")
@click.option("--form", default=OPENAI, show_default=True, type=click.Choice(FORMS),
              help="How the server wants to be asked.")  # fmt: skip
@click.option("--model", default="", metavar="NAME", help="Which model, behind a door or a URL.")
@click.option("--answers", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The answers of the door `replay`.")  # fmt: skip
@click.option("--embed-url", metavar="URL",
              help="A server of this machine that embeds, for vector_rag and mem0.")  # fmt: skip
@click.option("--embed-model", default="", metavar="NAME", help="Which model embeds there.")
@click.option("--multiwoz", "folder", metavar="DIR",
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="A split of MultiWOZ 2.2, for the family slot.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(
    out: Path, conditions: tuple[str, ...], families: tuple[str, ...], policies: tuple[str, ...],
    sizes: tuple[int, ...], problems: int, seeds: int, reader: str, url: str | None, form: str,
    model: str, answers: Path | None, embed_url: str | None, embed_model: str, folder: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Let a reader correct what an earlier session got wrong, from nothing but the memory of it.

    Stopped at any moment, the same call goes on where it was; trials without a reply are tried
    again. With a rule as the reader all of it takes some ten minutes on an
    idle machine.
    """
    chosen = _reader(reader, url, form, model, answers)
    given = [multiwoz(folder, seed, problems) for seed in range(seeds)] if folder else []
    if folder and not given[0]:
        raise UsageError(f"{folder}: no user states a time in it", "name a split of MultiWOZ 2.2")
    embed = Server(embed_url, embed_model).embed if embed_url else nobody
    ours = [one for one in CONDITIONS if one != "others"]
    slots = len(given[0]) if given else None
    trials = plan(conditions or ours, families, policies, problems, seeds, sizes, slots)
    if not trials:
        raise UsageError("no condition has such trials", "see `memgit reclaim run --help`")
    with scratch("memgit-reclaim-") as place:
        runner = Runner(chosen, harvested, place, given, embed)
        with progress("Correcting") as told:
            done = run_trials(runner, trials, out, told)
    rest = len(trials) - done
    had = f"; {rest:,} were there already" if rest else ""
    value = {"out": str(out), "trials": done, "had": rest, "reader": chosen.name}
    trials_done = f"{done:,} trial{'s' * (done != 1)}"
    printer(as_json).value(value, f"{out}: {trials_done} by {chosen.name}{had}")
    say(f"what came of it: memgit reclaim report {quote(str(out))}")


def _reader(name: str, url: str | None, form: str, model: str, answers: Path | None) -> Reader:
    if url:
        if not model:
            raise UsageError("a server wants to be told which model", "add --model NAME")
        return ServerReader(Server(url, model, form))
    if name in RULES:
        return Rule(abstains=name == "abstains")
    if name == "replay" and answers is None:
        raise UsageError("the door replay needs its answers", "add --answers FILE")
    return DoorReader(choose(name, model, answers or Path()), model)


def harvested(
    store: Store, turns: Sequence[Turn], model: Model, now: datetime
) -> Sequence[Proposal]:
    """What the harvest proposes: the pass that is measured."""
    return harvest(store, turns, model, now).proposals
