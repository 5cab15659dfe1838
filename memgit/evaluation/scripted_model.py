"""A model that is a script: what it says of the pairs of `contradictions.txt`, and where it lies.

The one rule: it is called scripted wherever it is shown, and is as sure of its lies as of the rest.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memgit.evaluation.contradictions import Pair
from memgit.ports.model.door import Answer, Request, Usage

SURE = 0.95
"""Its confidence, always."""

HONEST = {
    "replacement": ("replaces", "younger", True),
    "technology": ("unrelated", "both", False),
    "event": ("compatible", "both", False),
    "map": ("compatible", "both", False),
    "list": ("compatible", "both", False),
    "partial": ("replaces", "younger", False),
    "product": ("unrelated", "both", False),
    "tension": ("contradicts", "both", False),
    "origin": ("replaces", "younger", True),
}
"""Kind of pair → what is right to say: relation, which stands, whether that covers the other. Of
who wrote a memory a model knows nothing, so of `origin` this is the best it can say."""


@dataclass
class Scripted:
    """Wrong of every second pair; with `always`, says of whatever it is asked that the younger
    memory replaces the older one, whole.
    """

    pairs: Iterable[Pair]
    always: bool = False
    name: str = "scripted"
    asked: set[int] = field(default_factory=set)
    """The numbers of the pairs that it was asked about."""
    others: int = 0
    """Pairs it was asked about that are none of the file's."""

    def __post_init__(self) -> None:
        self._known = {pair.names: pair for pair in self.pairs}

    def ask(self, request: Request) -> Answer:
        """See `Model`."""
        rows = json.loads(request.data)["pairs"]
        tokens = (len(request.data) + len(request.instructions)) // 4
        said = [self._said(row) for row in rows]
        usage = Usage(tokens, len(json.dumps(said)) // 4, model=self.name)
        return Answer({"pairs": said}, usage)

    def _said(self, row: Mapping[str, Any]) -> dict[str, Any]:
        first, second = row["first"], row["second"]
        pair = self._known.get(frozenset((first["name"], second["name"])))
        if pair:
            self.asked.add(pair.number)
        else:
            self.others += 1
        relation, stands, covers = self._judged(pair)
        younger = "first" if first["recorded"] > second["recorded"] else "second"
        older = "second" if younger == "first" else "first"
        return {
            "pair": row["pair"], "relation": relation, "covers": covers, "confidence": SURE,
            "stands": {"younger": younger, "older": older, "both": "both"}[stands],
            "first_words": _words(first), "second_words": _words(second),
            "because": f"the {stands} one holds",
        }  # fmt: skip

    def _judged(self, pair: Pair | None) -> tuple[str, str, bool]:
        if self.always:
            return "replaces", "younger", True
        if pair is None:
            return "unrelated", "both", False
        if not pair.is_lied_about:
            return HONEST[pair.kind]
        if not pair.replaces:
            return "replaces", "younger", True
        # Of what was replaced it says in turn that the older one holds, and that both do.
        return ("replaces", "older", True) if pair.number % 4 == 1 else ("compatible", "both", True)


def _words(side: Mapping[str, Any]) -> str:
    lines = (line.strip() for line in side["text"].splitlines())
    return str(next(filter(None, lines), side["name"]))
