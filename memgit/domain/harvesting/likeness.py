"""What a store holds that is most like a text, by the index of record.

The one rule: a whole text is asked, each of its terms once; which memories count is not said here.
"""

from memgit.domain.indexing.index import Index
from memgit.prompt.terms import tokens

MOST = 400
"""Terms of a text that are asked, its first ones."""


def most_like(index: Index, text: str, limit: int) -> list[str]:
    """The paths of the memories most like a text, best first."""
    terms = list(dict.fromkeys(tokens(text)))[:MOST]
    return [str(found.record["path"]) for found in index.rank(terms, limit)]
