"""`memgit recall`: what the prompt hook would say, for a person or a program.

The one rule: it is the hook's own code, asked in another way.
"""

import sys
import time
from collections.abc import Mapping

import click

from memgit.commands._help import examples
from memgit.errors import StoreError, UsageError
from memgit.output import Printer, printer, say
from memgit.prompt import recall as hook
from memgit.prompt.show import telling
from memgit.prompt.table import Table, load_json


@click.command(
    epilog=examples(
        'memgit recall --prompt "which port is staging on?"',
        """echo '{"prompt": "which port is staging on?"}' | memgit recall --plain""",
    )
)
@click.option("--prompt", metavar="TEXT", help="The prompt; else the hook's JSON comes on stdin.")
@click.option("--json", "as_json", is_flag=True, help='Print {"hits": [...]}.')
@click.option("--plain", is_flag=True, help="As a hook, answer with the text, not with JSON.")
@click.option("--explain", is_flag=True, help="Tell how it came to that, step by step.")
@click.pass_obj
def recall(
    store: str | None, prompt: str | None, as_json: bool, plain: bool, explain: bool
) -> None:
    """Print what a prompt would bring to mind, or nothing; with --explain, why.

    Without options it is the hook itself: JSON on stdin, one JSON object or nothing on stdout,
    exit code 0 whatever happens. With --plain, for any host: {"prompt": TEXT, "session_id": ID} in,
    text or nothing out.
    """
    if prompt is None and not as_json and not explain:
        words = ["--python", sys.executable, *(["--store", store] if store else [])]
        hook.main([*words, *(["--event", ""] if plain else [])])
    from memgit.domain.indexing.index import (
        Index,  # a plugin's hook ends above, and does not pay for this
    )
    from memgit.domain.store import Store

    is_typed = prompt is not None
    if prompt is None:
        prompt = _prompt_on_stdin()
    opened = Store.find(store)
    index = Index(opened)
    try:
        index.sync()
    except StoreError as fault:
        if not index.head():
            raise
        say(f"memgit: {fault}\n  {fault.hint}")  # the hook, too, answers from the last table
    limits = opened.settings.recall
    table = Table(str(index.table))
    if explain:
        return _explain(table, prompt, limits.memories, printer(as_json))
    found = hook.hits(table, prompt, limits.memories)
    rows = [
        {
            "name": hit.record["name"],
            "path": hit.record["path"],
            "score": round(hit.score, 3),
            "labels": hit.record["labels"],
            "snippet": "\n".join(telling(hit.record["lines"], hit.terms)),
        }
        for hit in found
    ]
    where = str(opened.derived)
    _, text = hook.context(found, str(opened.root), limits.units, time.time(), where)
    if as_json or text:
        printer(as_json).value({"hits": rows}, text)
    elif is_typed:
        say("nothing fits; --explain tells why")
    return None


class _NoPrompt(UsageError):
    """A host takes 2 from a prompt hook for a refusal of the prompt, so this is 1."""

    exit_code = 1


def _prompt_on_stdin() -> str:
    """The prompt of the hook's JSON; an empty one where the JSON has none."""
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if sys.stdin is not None else ""
    try:
        event = load_json(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        what = "is no JSON object" if text.strip() else "is empty"
        raise _NoPrompt(f'stdin {what}; give --prompt TEXT, or {{"prompt": "TEXT"}} on stdin')
    return str(event.get("prompt") or "")


def _explain(table: Table, prompt: str, limit: int, shown: Printer) -> None:
    from dataclasses import asdict

    from memgit.domain.explanation import Explanation, explain

    told: Explanation = explain(table, prompt, limit, time.time())
    lines = []
    for number, part in enumerate(told.parts, 1):
        lines.append(f"Part {number} of the prompt. What its words tell in this store:")
        lines.append(f"  {_weighted(part.weights) or 'nothing that a memory has'}")
        if part.unknown:
            lines.append(f"  in no memory: {', '.join(part.unknown)}")
        if part.common:
            lines.append(f"  too common to tell anything: {', '.join(part.common)}")
    if not told.parts:
        lines.append("Nothing to look up: no words, or only pasted ones.")
    lines.append(f"Here a memory needs {told.bar:.1f} to be shown (measured on this store).")
    for memory in told.memories:
        where = f" by part {memory.part}" if memory.part else ""
        lines.append(f"{memory.name} ({memory.path}){where}: {memory.why}")
        if memory.part:
            lines.append(f"  {memory.evidence:.1f} speaks for it, {memory.needed:.1f} was needed")
            lines.append(f"  {_weighted(memory.words)}")
    if not told.memories:
        lines.append("No memory came near that: silence.")
    shown.value(asdict(told), "\n".join(lines))


def _weighted(words: Mapping[str, float]) -> str:
    return ", ".join(f"{word} {weight:.1f}" for word, weight in list(words.items())[:12])
