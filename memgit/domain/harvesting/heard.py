"""A session as quotes are looked up in it: who really said these words, where, and meant how.

The one rule: words count as said only where they stand, letter for letter but for width and spaces;
and only by whom they stand there, whoever a model says it was.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgit.domain.harvesting.candidate import ASSISTANT, ROLES, TOOL, USER, Quote
from memgit.domain.harvesting.observed import is_observed
from memgit.domain.harvesting.own_words import own_words
from memgit.domain.harvesting.wording import sentences
from memgit.domain.proposals.proposal import Evidence
from memgit.domain.transcripts.turns import Step, Turn

SHORTEST = 8
"""Characters of a quote, where one of a script of its own counts as three: less is said by
chance."""


@dataclass(frozen=True)
class Found:
    """A quote where it stands. `words` are those of the transcript, `passage` all that was said
    there in one go, `around` the sentences that hold the quote.

    `is_own` tells that a person wrote it as their own, `is_observed` that a tool saw it so.
    """

    quote: Quote
    turn: Turn
    number: int
    role: str
    words: str
    passage: str
    around: str
    is_own: bool = False
    is_observed: bool = False

    @property
    def evidence(self) -> Evidence:
        """The same as a proposal keeps it."""
        turn = self.turn
        return Evidence(self.words, self.role, turn.session, turn.id, turn.digest)


@dataclass(frozen=True)
class Said:
    """One sentence, in which turn and by whom it was said, and the one `before` it there."""

    number: int
    role: str
    sentence: str
    before: str = ""


@dataclass(frozen=True)
class _Passage:
    role: str
    text: str
    is_observed: bool = False


class Heard:
    """The turns of one session, numbered from 1, in order."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = list(turns)
        self._plain: dict[str, tuple[str, list[int]]] = {}

    @property
    def contexts(self) -> list[str]:
        """What hooks put before the agent in it."""
        return list(dict.fromkeys(text for turn in self.turns for text in turn.contexts))

    def find(self, quote: Quote) -> Found | None:
        """Where the words of a quote stand: in its turn, else in another; by the one whom it names,
        else by another. None where nobody said them.
        """
        if _weight(quote.words) < SHORTEST:
            return None
        order = sorted(range(1, len(self.turns) + 1), key=lambda number: abs(number - quote.turn))
        by = quote.by if quote.by in ROLES else USER
        for wanted in (by, *(role for role in ROLES if role != by)):
            for number in order:
                if found := self._in_turn(quote, number, wanted):
                    return found
        return None

    def later(self, number: int) -> Iterator[Said]:
        """What people and the agent said after a turn, sentence by sentence."""
        for place in range(number + 1, len(self.turns) + 1):
            turn = self.turns[place - 1]
            said = [(USER, own_words(text)) for text in turn.typed]
            said += [(ASSISTANT, step.text) for step in turn.steps if step.text]
            for role, text in said:
                before = ""
                for sentence in sentences(text):
                    yield Said(place, role, sentence, before)
                    before = sentence

    def _in_turn(self, quote: Quote, number: int, role: str) -> Found | None:
        turn = self.turns[number - 1]
        for passage in _passages(turn):
            if passage.role != role:
                continue
            if span := self._span(passage.text, quote.words):
                start, end = span
                words = " ".join(passage.text[start:end].split())
                own = role == USER and self._span(own_words(passage.text), quote.words) is not None
                return Found(
                    quote, turn, number, role, words, passage.text,
                    _around(passage.text, start, end), own, passage.is_observed,
                )  # fmt: skip
        return None

    def _span(self, text: str, words: str) -> tuple[int, int] | None:
        """From where to where words stand in a text, widths and spaces aside."""
        if text not in self._plain:
            self._plain[text] = _plain(text)
        plain, places = self._plain[text]
        sought = _plain(words)[0].strip()
        at = plain.find(sought) if sought else -1
        return (places[at], places[at + len(sought) - 1] + 1) if at >= 0 else None


def _passages(turn: Turn) -> Iterator[_Passage]:
    for text in turn.typed:
        yield _Passage(USER, text)
    for step in turn.steps:
        if step.text:
            yield _Passage(ASSISTANT, step.text)
        if step.tool:
            yield _Passage(TOOL, step.result, is_observed(step))
            yield _Passage(TOOL, _given(step))


def _given(step: Step) -> str:
    """What a tool was called with, a line for each text."""
    return "\n".join(value for value in step.input.values() if isinstance(value, str))


def _around(text: str, start: int, end: int) -> str:
    """The sentences that a span of a text lies in."""
    before = max(text.rfind(mark, 0, start) for mark in ("\n", "。", "！", "？", ". ", "! ", "? "))
    ends = [at for mark in ("\n", "。", "！", "？", ". ", "! ", "? ")
            if (at := text.find(mark, max(start, end - 1))) >= 0]  # fmt: skip
    after = min(ends) + 1 if ends else len(text)
    return " ".join(text[before + 1 : after].split())


def _plain(text: str) -> tuple[str, list[int]]:
    """A text in one width, with single spaces and no case, and where each letter of it stood."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isspace():
            if letters and letters[-1] != " ":
                letters.append(" ")
                places.append(place)
            continue
        for letter in unicodedata.normalize("NFKC", character).casefold():
            letters.append(letter)
            places.append(place)
    return "".join(letters), places


def _weight(words: str) -> int:
    """How much a quote says: a letter counts one, one of Chinese, Japanese or Korean three."""
    return sum(1 if c.isascii() else 3 for c in words if c.isalnum())
