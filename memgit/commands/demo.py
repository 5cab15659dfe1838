"""`memgit demo`: the sample store, asked as an agent's prompt hook asks, with the time of each.

The one rule: nothing is played. What is shown is what the real hook process said; where it said
something else than it should, the exit code is 1.
"""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import click

from memgit.commands._help import examples
from memgit.domain.demonstration import QUESTIONS, Asked, ask, build
from memgit.domain.store import Store
from memgit.domain.trial import hook_command
from memgit.output import Printer, page, printer, printing
from memgit.ports.scratch import scratch

Line = tuple[str, str, str]
"""Margin, text, style."""


@click.command(epilog=examples("memgit demo --keep"))
@click.option("--keep", is_flag=True, help="Leave the store there, to look around in it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")
def demo(keep: bool, as_json: bool) -> int:
    """Ask a sample store five questions in two languages, and say one thing that needs no memory.

    Everything happens in a temporary folder. Exit code 1 when an answer is not the expected one.
    """
    shown = printer(as_json)
    with scratch("memgit-demo-", keep) as outer:
        folder = outer / "store"
        start = perf_counter()
        store = build(folder)
        _open(shown, store, perf_counter() - start)
        _hand_over()
        command = hook_command(store.root)
        answers = []
        for number, question in enumerate(QUESTIONS, 1):
            asked = ask(command, store, question)
            answers.append(asked)
            shown.value(_row(asked), partial(_answer, number, asked))
            _hand_over()
    _close(shown, answers, folder if keep else None)
    return 0 if all(asked.as_expected for asked in answers) else 1


def _hand_over() -> None:
    """Whoever reads is shown all so far, and is noticed where he has left."""
    with printing():
        sys.stdout.flush()


def _open(shown: Printer, store: Store, seconds: float) -> None:
    memories = len(store.paths())
    value = {"store": str(store.root), "memories": memories, "seconds": round(seconds, 3)}
    made = f"{memories} memories, copied, committed and indexed in {seconds:.2f} s:"
    how = (
        "Each prompt below goes to the hook process that an agent starts; under it stands what "
        "the agent is given."
    )
    shown.value(value, lambda: f"{made}\n  {store.root}\n{page([('', how, '')])}")


def _row(asked: Asked) -> dict[str, Any]:
    return {
        "prompt": asked.question.prompt,
        "expected": asked.question.expected or None,
        "recalled": list(asked.memories),
        "as_expected": asked.as_expected,
        "context": asked.trial.text,
        "hook_ms": _ms(asked.trial.seconds),
        "bare_ms": _ms(asked.trial.bare),
        "fault": asked.trial.fault or None,
    }


def _answer(number: int, asked: Asked) -> str:
    trial = asked.trial
    times = (
        f"in {_ms(trial.seconds)} ms, {trial.factor:.1f} × a bare interpreter ({_ms(trial.bare)})"
    )
    lines: list[Line] = [
        ("", "", ""),
        (f"{number}. ", asked.question.prompt, "bold"),
        ("   ", f"{', '.join(asked.memories) or 'silence'} {times}", "green"),
    ]
    if not asked.as_expected:
        wanted = asked.question.expected or "silence"
        lines[-1] = (*lines[-1][:2], "red")
        lines.append(("   ", f"NOT AS EXPECTED: {trial.fault or f'should be {wanted}'}", "red"))
    for line in trial.text.splitlines()[1:]:
        mark, _, text = line.lstrip().partition(" ")
        margin = line[: len(line) - len(line.lstrip())]
        lines.append((f"   {margin}{mark} ", text, ""))
    return page(lines)


def _close(shown: Printer, answers: Sequence[Asked], kept: Path | None) -> None:
    good = sum(asked.as_expected for asked in answers)
    hook = median(asked.trial.seconds for asked in answers)
    bare = median(asked.trial.bare for asked in answers)
    value = {
        "as_expected": good,
        "of": len(answers),
        "hook_ms": _ms(hook),
        "bare_ms": _ms(bare),
        "kept": str(kept) if kept else None,
    }
    lines: list[Line] = [
        ("", "", ""),
        ("", f"{good} of {len(answers)} as expected. The hook took {_ms(hook)} ms, a bare "
             f"interpreter {_ms(bare)} ms (medians): no model, no network, no daemon.", "bold"),
        ("", f"The store stays in {kept}" if kept else "The store is removed again.", ""),
        ("", "", ""),
        ("Next: ", "memgit init ~/memory", ""),
        ("      ", "memgit --store ~/memory install claude-code", ""),
    ]  # fmt: skip
    shown.value(value, partial(page, lines))


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
