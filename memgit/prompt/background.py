"""How common a term is in ordinary text: the counts that `evaluation/background.py` made.

The one rule: a store's own counts always stay in; the background is only added to them, as if the
store held so many more memories of ordinary text. A table repeats the counts of its own terms, so
that only the others are asked here.
"""

from memgit.prompt.table import BrokenTable, Segment, number_of

FILE = __file__.rpartition("/")[0] + "/background.segment"

MEMORIES = 300
"""Imagined memories of ordinary text that every store is thought to hold besides its own."""

SCALE = 10_000
"""What the file's counts are multiplied with."""


class Background:
    """The imagined memories, looked up term by term."""

    def __init__(self) -> None:
        self._segment: Segment | None
        try:
            self._segment = Segment(FILE, 0, [])
        except (OSError, BrokenTable):
            self._segment = None  # silence is still possible without it

    def ordinary(self, term: str) -> int:
        """The share of the imagined memories that hold the term, times `SCALE`; 0 if it is rare."""
        return self._segment.find(number_of(term))[0] if self._segment else 0
