"""Words that a shell can complete: names of memories, commits, proposals, and fixed ones.

The one rule: they complete and do not judge. Whether there is such a memory, the verb says.
"""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from memgit.domain import at_hand


class Named(click.types.StringParamType):
    """A word that names something of the store; `name` says what."""

    def __init__(self, name: str) -> None:
        self.name = name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """What begins so, with what it is about."""
        known = _KNOWN[self.name](ctx.obj)
        return [CompletionItem(word, help=said or None)
                for word, said in known if word.startswith(incomplete)]  # fmt: skip


class OneOf(click.types.StringParamType):
    """A word of these, or another that the verb knows."""

    name = "text"

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Those that begin so."""
        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


_KNOWN = {
    "memory": at_hand.memories,
    "commit": at_hand.operations,
    "proposal": at_hand.proposals,
}

MEMORY, COMMIT, PROPOSAL = map(Named, _KNOWN)
