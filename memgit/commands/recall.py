"""`memgit recall`: what the prompt hook would say, for a person or a program.

The one rule: it is the hook's own code, asked in another way.
"""

import sys
import time

import click

from memgit.output import printer
from memgit.prompt import recall as hook
from memgit.prompt.show import telling
from memgit.prompt.table import Table, load_json


@click.command(epilog='Example: memgit recall --prompt "which port is staging on?"')
@click.option("--prompt", metavar="TEXT", help="The prompt; else the hook's JSON comes on stdin.")
@click.option("--json", "as_json", is_flag=True, help='Print {"hits": [...]}.')
@click.pass_obj
def recall(store: str | None, prompt: str | None, as_json: bool) -> None:
    """Print what a prompt would bring to mind, or nothing.

    Without options it is the hook itself: JSON on stdin, one JSON object or nothing on stdout,
    exit code 0 whatever happens.
    """
    if prompt is None and not as_json:
        hook.main(["--python", sys.executable, *(["--store", store] if store else [])])
    from memgit.domain.index import Index  # a plugin's hook ends above, and does not pay for this
    from memgit.domain.store import Store

    if prompt is None:
        event = load_json(sys.stdin.buffer.read().decode("utf-8", "replace"))
        prompt = str(event.get("prompt") or "") if isinstance(event, dict) else ""
    opened = Store.find(store)
    index = Index(opened)
    index.sync()
    limits = opened.settings.recall
    found = hook.hits(Table(str(index.table)), prompt, limits.memories)
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
    _, text = hook.context(found, str(opened.root), limits.units, time.time())
    if as_json or text:
        printer(as_json).value({"hits": rows}, text)
