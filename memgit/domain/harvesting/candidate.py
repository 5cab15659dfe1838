"""A candidate: what a model would remember of a session, before anything of it is believed.

The one rule: nothing here was checked. What it quotes is looked up by `Heard`, what it says is
judged by guards.
"""

from dataclasses import dataclass

USER, ASSISTANT, TOOL = "user", "assistant", "tool"
ROLES = (USER, ASSISTANT, TOOL)

HOLDS, OVERTURNED, PROPOSED, PASSING = "holds", "overturned", "proposed", "passing"
STATES = (HOLDS, OVERTURNED, PROPOSED, PASSING)
"""What became of it in the session: it held to the end, was taken back or found wrong, was talked
of and not tried, or is of that day alone."""


@dataclass(frozen=True)
class Quote:
    """Words that a model claims were said, by whom, and in which turn (from 1)."""

    turn: int
    by: str
    words: str


@dataclass(frozen=True)
class Candidate:
    """What a model would remember. `replaces` is a memory of the store that it says is wrong now,
    `same_as` one that says so already; `mentions` how many passages speak of it.
    """

    type: str
    name: str
    description: str
    text: str
    quotes: tuple[Quote, ...]
    state: str = HOLDS
    confidence: float = 0.0
    replaces: str = ""
    same_as: str = ""
    topics: tuple[str, ...] = ()
    mentions: int = 0

    @property
    def whole(self) -> str:
        """All that it says."""
        return "\n".join(filter(None, (self.description, self.text)))
