"""What the reports of an evaluation and a battery's questions say line by line.

The one rule: prompts and names are other people's text. They come out as plain lines, so that none
of them drives a terminal.
"""

from collections.abc import Sequence
from typing import Any

from memgit.evaluation.battery import Question
from memgit.evaluation.compare import BETTER, WORSE
from memgit.prompt.show import plain

Line = tuple[str, str, str]
"""(margin, text, style), as a page is made of."""


def missed(one: dict[str, Any]) -> list[Line]:
    """A prompt that went wrong: what was shown, what belongs to it, and by which terms."""
    lines = [("- ", plain(f"{one['what']} ({one['store']}, {one['kind']})"), "bold")]
    lines.append(("  ", f"“{plain(one['prompt'])[:160]}”", ""))
    for memory in one["shown"]:
        lines.append(("  ", plain(f"shown, {memory['verdict']}: {_by_terms(memory)}"), ""))
    for memory in one["held_back"]:
        lines.append(("  ", plain(f"held back at {memory['place']}: {_by_terms(memory)}"), ""))
    if one["not_found"]:
        lines.append(("  ", plain("not among the candidates: " + ", ".join(one["not_found"])), ""))
    return lines


def _by_terms(memory: dict[str, Any]) -> str:
    terms = ", ".join(list(memory["terms"])[:5])
    return f"{memory['name']} by {terms}" if terms else f"{memory['name']}, named in the prompt"


def changes(record: dict[str, Any]) -> list[Line]:
    """Each prompt of a comparison that is answered otherwise."""
    lines = []
    for change in record["changes"]:
        lines.append((f"{change['what']:12}", f"“{plain(change['prompt'])[:120]}”", ""))
        for side in ("before", "after"):
            told = ", ".join(change[side]) or "silence"
            lines.append((" " * 12, plain(f"{side}: {told}"), "dim"))
    return lines


def verdict(record: dict[str, Any]) -> str:
    """Both tests of a comparison and what follows from them."""
    right, signed = record["tests"]["right"], record["tests"]["signed"]
    sure = record["verdict"] in (BETTER, WORSE)
    return (
        f"prompts done right: {right['up']} gained, {right['down']} lost of {right['n']} "
        f"(McNemar, p = {right['p']:.3f})\n"
        f"signed score: {signed['up']} up, {signed['down']} down "
        f"(sign test, p = {signed['p']:.3f})\n"
        f"verdict: {record['verdict']}{'' if sure else '; this shows no improvement'}\n"
    )


def question(
    asked: Question, offered: Sequence[tuple[str, str]], shown: int, where: str
) -> list[Line]:
    """A prompt, the turn before it, and the memories on offer: (name, what it is about).

    `shown` of them are what the hook would show; `where` tells how far the person has come.
    """
    before = plain(asked.previous.prompt)[:200]
    lines = [("", where, "dim")]
    lines += [("before  ", before, "dim")] if before else []
    typed = [plain(line) for line in asked.prompt[:1500].splitlines()]
    lines += [("        " if at else "prompt  ", line, "bold") for at, line in enumerate(typed)]
    for number, (name, about) in enumerate(offered, 1):
        if number in (1, shown + 1):
            lines += [("", "", ""), ("", "shown:" if number <= shown else "not shown:", "dim")]
        lines.append((f"     {number}  ", plain(f"{name}: {about}"), ""))
    as_it_is = "y what is shown is right" if shown else "y silence is right"
    keys = f"{as_it_is} · n nothing belongs · 1-9 this one · s skip · u back · q quit"
    return [*lines, ("", "", ""), ("", keys, "dim")]
