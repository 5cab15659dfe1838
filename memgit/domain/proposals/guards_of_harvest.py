"""Guards on what a model would remember of a session: functions of what it says and what was said.

The one rule: no guard asks a model. One that `drops` leaves nothing to review (nobody said it, or
it may not be kept at all); the others leave it to a person, with the reason.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memgit.domain.borders.statements import words
from memgit.domain.gates.certificate import DIFFERS, certificate
from memgit.domain.gates.origin import order
from memgit.domain.harvesting.candidate import (
    ASSISTANT,
    HOLDS,
    OVERTURNED,
    PASSING,
    PROPOSED,
    TOOL,
    USER,
    Candidate,
)
from memgit.domain.harvesting.heard import Found, Heard
from memgit.domain.harvesting.sense import corrected, turned, unconditional
from memgit.domain.harvesting.swaps import differs_in_numbers, swaps
from memgit.domain.harvesting.values import is_worked_out, unborne
from memgit.domain.harvesting.wording import (
    is_asked,
    is_of_today,
    is_passed_on,
    is_supposed,
    sentences,
    takes_back,
)
from memgit.domain.memory import STANDING
from memgit.domain.proposals.proposal import Judgement
from memgit.prompt.background import Background
from memgit.prompt.terms import tokens

ALIKE = 0.7
"""Share of a candidate's words that a context of a hook must hold to be where it came from."""

ABOUT = 0.5
"""Share of what names a candidate's subject that must stand in what it quotes, or beside it."""

STRANGE, RARE = 40, 200
"""Of 10,000 ordinary texts, those that hold a word: up to which it names something of its own, and
up to which it tells of what a sentence is."""

TOGETHER = 2
"""Words of a quote that a later sentence must share to speak of the same thing."""


@dataclass(frozen=True)
class Case:
    """A candidate with the quotes of it that were found, in the session that they are from."""

    candidate: Candidate
    found: Sequence[Found]
    heard: Heard

    @property
    def vouched(self) -> list[Found]:
        """Quotes of somebody who can know: a person's own words, or a tool that looked."""
        return [one for one in self.found if one.is_own or one.is_observed]

    @property
    def is_rule(self) -> bool:
        """Whether it would stand for what the person wants, or is."""
        return self.candidate.type in STANDING


@dataclass(frozen=True)
class Guard:
    """`refuses` says in a sentence why not, or "" where nothing speaks against it."""

    name: str
    refuses: Callable[[Case], str]
    drops: bool = False


def judge(case: Case) -> tuple[list[Judgement], str]:
    """(what each guard says, why it is to be dropped or "")."""
    said: list[Judgement] = []
    for guard in GUARDS:
        why = guard.refuses(case)
        said.append(Judgement(guard.name, not why, why))
        if why and guard.drops:
            return said, f"{guard.name}: {why}"
    return said, ""


def _quoted(case: Case) -> str:
    if case.found:
        return ""
    asked = case.candidate.quotes
    return f"nobody said {_shown(asked[0].words)}" if asked else "it quotes nothing"


def _orders(case: Case) -> str:
    """Words that want to command the agent bear out nothing, nor does what stands beside them."""
    texts = [case.candidate.name, *case.candidate.whole.splitlines()]
    texts += [line for one in case.found for line in one.passage.splitlines()]
    return next((f"{what}: {_shown(text)}" for text in texts if (what := order(text))), "")


def _injected(case: Case) -> str:
    if case.vouched:
        return ""
    mine = words(case.candidate.whole)
    for context in case.heard.contexts:
        if mine and len(mine & words(context)) >= ALIKE * len(mine):
            return "it was recalled into the session, and nobody but the agent said it there"
    return ""


def _state(case: Case) -> str:
    return {
        HOLDS: "",
        OVERTURNED: "it was taken back later in the session",
        PROPOSED: "it was talked of, and not tried",
        PASSING: "it holds for that day or that task alone",
    }.get(case.candidate.state, "")


def _passing(case: Case) -> str:
    told = [one for one in case.found if is_of_today(one.around)]
    if told and len(told) == len(case.found):
        return f"it holds for that day or that task alone: {_shown(told[0].around)}"
    return ""


def _overturned(case: Case) -> str:
    """A later sentence that speaks of the same as the last quote, and takes it back, or says
    another value. An agent is not asked whether a person was right.
    """
    last = max(case.found, key=lambda one: one.number)
    subject = words(last.around) & words(case.candidate.whole)
    enough = min(TOGETHER, max(1, len(subject)))
    for said in case.heard.later(last.number):
        if is_asked(said.sentence) or (said.role != USER and last.is_own):
            continue
        back = takes_back(said.sentence) or takes_back(said.before)
        shared = len(words(said.sentence) & subject) >= enough
        other = differs_in_numbers(last.around, said.sentence)
        if other or (back and shared):
            return f"turn {said.number} takes it back: {_shown(said.sentence)}"
    return ""


def _speaker(case: Case) -> str:
    """A rule is the person's only in the person's own words."""
    if not case.is_rule or any(one.role == USER for one in case.found):
        return ""
    return f"a rule that only the {case.found[0].role} said"


def _own(case: Case) -> str:
    if not case.is_rule or any(one.is_own for one in case.found):
        return ""
    return "the person pasted or quoted these words, and did not say them"


def _stated(case: Case) -> str:
    """Somebody says so; it is not only asked or supposed."""
    spoken = [one for one in case.found if one.role != TOOL]
    loose = [one for one in spoken if is_asked(one.around) or is_supposed(one.around)]
    if loose and len(loose) == len(case.found):
        kind = "asked" if is_asked(loose[0].around) else "supposed or proposed"
        return f"it was {kind}, and not tried: {_shown(loose[0].around)}"
    return ""


def _tried(case: Case) -> str:
    """What only the agent says is a guess of its, until a tool or the person bears it out."""
    if case.vouched or case.is_rule:
        return ""
    if any(one.role == TOOL for one in case.found):
        return "only a call that failed, a page or a document bears it out"
    if all(one.role == ASSISTANT for one in case.found):
        return "only the agent says so: no result, and no word of the person, bears it out"
    return "the person pasted or quoted these words, and nothing else bears it out"


def _passed_on(case: Case) -> str:
    """Somebody vouches for it: the person as their own, or a result."""
    spoken = [one for one in case.vouched if one.role == USER]
    doubtful = [one for one in spoken if is_passed_on(one.around)]
    if doubtful and len(doubtful) == len(case.vouched):
        return f"a guess, or what somebody else says: {_shown(doubtful[0].around)}"
    return ""


def _values(case: Case) -> str:
    said = [one.around for one in case.found]
    loose = unborne(case.candidate.whole, [*said, *(one.words for one in case.found)])
    loose = [value for value in loose if not is_worked_out(value, said)]
    return f"no quoted words say {', '.join(loose[:3])}" if loose else ""


def _wording(case: Case) -> str:
    """Where the quoted words are nearly those of the candidate, they are so in every word."""
    said = [sentence for one in case.found for sentence in sentences(one.around)]
    for claim in (case.candidate.description, *sentences(case.candidate.text)):
        found = [(len(swapped), sentence) for sentence in said
                 if (swapped := swaps(claim, sentence)) is not None]  # fmt: skip
        if found and min(found)[0]:
            return f"it says {_shown(claim)} where the quoted words say {_shown(min(found)[1])}"
    return ""


def _sense(case: Case) -> str:
    """Each letter of a quote may stand there, and the sentence say the opposite."""
    return turned(case.candidate, case.found)


def _condition(case: Case) -> str:
    return unconditional(case.candidate, case.found)


def _corrected(case: Case) -> str:
    return corrected(case.found, case.heard)


def _parts(case: Case) -> str:
    """What it states beside its own parts is what they give."""
    for one in certificate(case.candidate.text):
        if one.verdict == DIFFERS:
            return f"its {one.kind} says {one.stated}, and its parts give {one.computed}"
    return ""


def _subject(case: Case) -> str:
    """What the value is of stands where it is quoted: else it may be of something else."""
    named = words(f"{case.candidate.name.replace('-', ' ')} {case.candidate.description}")
    around = words(" ".join(_neighbourhood(one) for one in case.found))
    if not named or len(named & around) >= ABOUT * len(named) or _names_it(case):
        return ""
    missing = ", ".join(sorted(named - around)[:3])
    return f"the quoted words do not speak of {missing}"


def _names_it(case: Case) -> bool:
    """Whether the quoted words, put shortly, name the subject by a rare word, and nothing else."""
    said = {term for one in case.found for term in tokens(one.around) if _is_word(term)}
    whole = set(tokens(f"{case.candidate.name} {case.candidate.whole}"))
    strangers = [term for term in said - whole if _ordinary.ordinary(term) < STRANGE]
    named = [term for term in said & whole if _ordinary.ordinary(term) < RARE]
    return bool(named) and not strangers


def _is_word(term: str) -> bool:
    """Whether a term is neither a number nor a unit."""
    return not term.isdigit() and (len(term) > 2 or not term.isascii())


def _neighbourhood(found: Found) -> str:
    return found.around if found.role == TOOL else found.passage


_ordinary = Background()

GUARDS = (
    Guard("said", _quoted, drops=True),
    Guard("instruction", _orders, drops=True),
    Guard("injected", _injected, drops=True),
    Guard("state", _state, drops=True),
    Guard("passing", _passing, drops=True),
    Guard("overturned", _overturned, drops=True),
    Guard("speaker", _speaker, drops=True),
    Guard("stated", _stated, drops=True),
    Guard("own words", _own),
    Guard("tried", _tried),
    Guard("passed on", _passed_on),
    Guard("values", _values),
    Guard("wording", _wording),
    Guard("sense", _sense),
    Guard("condition", _condition),
    Guard("corrected", _corrected),
    Guard("parts", _parts),
    Guard("about", _subject),
)
"""In the order in which they are asked; the first that drops a candidate is the last one asked."""


def _shown(text: str) -> str:
    """Words of a session, short enough for a line."""
    line = " ".join(text.split())
    first = next(sentences(line), line)
    line = first if len(first) >= 20 else line
    return f"“{line if len(line) <= 80 else line[:79] + '…'}”"
