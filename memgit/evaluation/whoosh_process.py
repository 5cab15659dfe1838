"""A rival of the prompt hook: a fresh process that asks the index of record, through Whoosh.

The one rule: it ranks the terms that the hook takes from the prompt, in the same index, with the
same weights; only the engine differs.
"""

import json
import sys
from pathlib import Path

from memgit.domain.indexing import fields
from memgit.domain.settings import WEIGHTS
from memgit.ports.search import SearchIndex
from memgit.prompt.query import segments
from memgit.prompt.ranking import Rarity
from memgit.prompt.terms import words

FOUND = 3


def _weigh(field: str, times: float, length: float) -> float:
    return fields.weigh(field, times, length, WEIGHTS[field])


def main(folder: str) -> None:
    """Read the hook's JSON from stdin and print the best memories for its prompt."""
    asked = segments(json.load(sys.stdin.buffer)["prompt"])
    # A negative weight is a guess at a name: no word of the prompt.
    terms = dict.fromkeys(t for terms in asked for t, weight in terms.items() if weight > 0.0)
    index = SearchIndex(Path(folder), tuple(fields.REFERENCE_LENGTHS), words)
    for found in index.rank(terms, FOUND, _weigh, Rarity()):
        line = f"{found.record['path']}: {found.record['description']}\n"
        sys.stdout.buffer.write(line.encode())


if __name__ == "__main__":
    main(sys.argv[1])
