"""Whether a memory is worth the reader's attention. Silence is the usual answer.

The one rule: a memory must earn its place by the words that tell its subject (name, description,
headings, code), not by the body alone; the second one by more than the first.
"""

from memgit.prompt.ranking import Candidate

HEAD = 3.0
"""The least head score of a memory that is shown."""

SCORE = 4.5
"""The least full score of a memory that is shown."""

SECOND = 0.75
"""What share of the first memory's score a further one needs."""


def passing(ranked: list[Candidate], limit: int) -> list[Candidate]:
    """The memories to show, best first; usually none."""
    passed = [c for c in ranked if c.head >= HEAD and c.score >= SCORE]
    return [c for c in passed if c.score >= SECOND * passed[0].score][:limit]
