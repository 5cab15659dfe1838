"""How common a term is in ordinary text: the counts that `evaluation/background.py` made.

The one rule: a store's own counts always stay in; the background is only added to them, as if the
store held so many more memories of ordinary text.
"""

from memgit.prompt.table import BrokenTable, Segment

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
            self._segment = Segment(FILE, 0, [], whole=True)
        except (OSError, BrokenTable):
            self._segment = None  # silence is still possible without it

    def having(self, term: str) -> float:
        """How many of the imagined memories hold the term; 0.0 for a rare one."""
        if self._segment is None:
            return 0.0
        return self._segment.count(term.encode("utf-8", "surrogatepass")[:255])[0] * (
            MEMORIES / SCALE
        )
