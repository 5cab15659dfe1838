"""`memgit why`: the story of a memory."""

import click

from memgit.commands._help import examples
from memgit.commands._words import MEMORY
from memgit.domain.operations.story import SHORT, tell
from memgit.domain.store import Store
from memgit.output import page, paging


@click.command(epilog=examples("memgit why payment-timeout-30s"))
@click.argument("name", type=MEMORY)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def why(store: str | None, name: str, as_json: bool) -> None:
    """Tell in sentences what happened to the memory NAME and why it stands as it does, each with
    the commit that did it.
    """
    sentences = tell(Store.find(store), name)
    with paging(as_json) as shown:
        shown.value(
            {
                "name": name,
                "story": [
                    {"date": one.day, "commit": one.commit, "text": one.text} for one in sentences
                ],
            },
            lambda: page((f"{one.commit[:SHORT]:{SHORT}}  ", one.text, "") for one in sentences),
        )
