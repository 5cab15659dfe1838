"""The verdict in words, as page and terminal say it.

The one rule: every concern has its words in each language.
"""

from memgit.domain.health.judging import Concern, Judgement
from memgit.pages.words import Words


def sentence(concern: Concern, words: Words) -> str:
    """A concern in words."""
    return words(f"concern.{concern.code}", concern.count, about=concern.about)


def headline(judgement: Judgement, words: Words) -> str:
    """What the judgement comes to, in a sentence."""
    return words(f"state.{judgement.state}_line", len(judgement.concerns))
