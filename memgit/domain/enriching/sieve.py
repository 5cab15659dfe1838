"""Which words may lead to a memory: each is tried on the store's own table, without a model.

The one rule: a word that no rule drops may stay, and one that is dropped is told with its reason.
Adding a rule is writing a plain function and a line in `RULES`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memgit.domain.enriching.others import Others
from memgit.domain.enriching.trial_table import FIELD, TrialTable
from memgit.domain.enriching.unrelated import Unrelated
from memgit.domain.gates.characters import hidden
from memgit.domain.gates.origin import order
from memgit.domain.gates.patterns import Pattern
from memgit.domain.gates.secrets import found as secrets_in
from memgit.domain.indexing import fields
from memgit.domain.indexing.calibration import Log
from memgit.domain.indexing.index import Index
from memgit.domain.indexing.recall_table import LOG
from memgit.domain.memory import Memory, key_of
from memgit.domain.store import Store
from memgit.prompt.background import SCALE, Background
from memgit.prompt.query import segments
from memgit.prompt.ranking import SLIGHT, Ranking
from memgit.prompt.table import Table
from memgit.prompt.terms import tokens
from memgit.prompt.terms import words as split_words

MOST = 12
"""Words or phrases that one memory may have."""

LONGEST = 40
"""Characters of one."""

PIECES = 4
"""Words, parted by spaces, of one."""

EVERYDAY = 0.1
"""The share of ordinary and technical texts from which a term is in everybody's mouth."""

UNTOLD = "looks like a secret"
"""The reason that is told without the words."""

_MARKS = Pattern(r"[\n\r\t`*#<>\[\]{}|\\\"“”=;!?。！？]|\.\s|\.$|: ")
"""What stands in sentences, code and markup, and in nothing that one looks up."""

_ORDER = Pattern(
    r"(?i)\b(?:always|never|must|should|shall|do not|don't|please|ensure|make sure|you are)\b"
    r"|(?:ください|下さい|なさい|せよ|すること|するな|必ず|禁止|無視)"
)
"""How rules and orders begin or end: what is looked up has no need of it."""


@dataclass(frozen=True)
class Candidate:
    """Words that may come to lead to a memory, whose own terms are `said`.

    `kept` are those that were let through before it.
    """

    words: str
    memory: Memory
    number: int
    said: frozenset[str]
    kept: Sequence[str]
    sieve: "Sieve"

    @cached_property
    def trial(self) -> TrialTable:
        """The table as it would be with them."""
        words = (*self.kept, self.words)
        return TrialTable(self.sieve.table, self.number, self.memory, words, self.sieve.weight)


@dataclass(frozen=True)
class Sifted:
    """What is left of the words for one memory, and why the others are not."""

    kept: Sequence[str]
    dropped: Mapping[str, str] = field(default_factory=dict)


class Sieve:
    """The rules, and the store that they are held against: its table, its prompts."""

    def __init__(self, store: Store) -> None:
        index = Index(store)
        index.sync()
        self.table = Table(str(index.table))
        self.weight = store.settings.weights[FIELD]
        self.log = Log(store.derived / LOG)
        self.unrelated = Unrelated.of(self.table, self.log)
        self.rarity = self.unrelated.rarity
        self._background = Background()
        self.others = Others(store, self.table)
        self.given: dict[str, str] = {}  # words let through in this run → whose they are

    def sift(self, memory: Memory, words: Iterable[str]) -> Sifted:
        """What may lead to a memory of the commit that is indexed: first what did so far."""
        number = self.others.numbers.get(memory.path)
        wanted = list(dict.fromkeys(" ".join(word.split()) for word in words))
        if number is None or not fields.leads(memory):
            return Sifted((), dict.fromkeys(wanted, "nothing may lead to this memory any more"))
        said = frozenset(term for name, text in fields.texts(memory).items() if name != FIELD
                         for term in tokens(text))  # fmt: skip
        old = [word for word in memory.words(FIELD) if not self.contained(said, word)]
        kept: list[str] = []
        dropped: dict[str, str] = {}
        for word in wanted:
            candidate = Candidate(word, memory, number, said, tuple(kept), self)
            full = len(old) + len(kept) >= MOST
            why = f"{MOST} are enough" if full else self._objection(candidate, (*old, *kept))
            if why:
                dropped[f"{word[:4]}…" if why == UNTOLD else word] = why
            else:
                kept.append(word)
                self.given.setdefault(key_of(word), memory.name)
        return Sifted((*old, *kept), dropped)

    def contained(self, said: frozenset[str], words: str) -> str:
        """The first of some words, parted by spaces, that is among terms; "" where none is.

        Words that tell nothing anywhere ("the", "to") do not count.
        """
        for piece in words.split():
            terms = tokens(piece)
            if terms and said.issuperset(terms) and not all(map(self.is_slight, terms)):
                return piece
        return ""

    def rare(self, term: str) -> bool:
        """Whether few texts of any kind have a term."""
        return self._background.ordinary(term) < EVERYDAY * SCALE

    def is_slight(self, term: str) -> bool:
        """Whether a term tells nothing in this store."""
        having = self.table.having(term, self.table.lookup(term))
        return self.rarity(term, self.table.memories, having) < SLIGHT

    @staticmethod
    def _objection(candidate: Candidate, known: Sequence[str]) -> str:
        if key_of(candidate.words) in map(key_of, known):
            return "leads there already"
        return next(filter(None, (rule(candidate) for rule in RULES)), "")


def form(candidate: Candidate) -> str:
    """A few words on one line, as one types them into a search."""
    words = candidate.words
    if not 1 < len(words) <= LONGEST or len(words.split()) > PIECES:
        return f"is not one to {PIECES} words of at most {LONGEST} characters"
    if _MARKS.search(words) or hidden(words) or not words.isprintable():
        return "is no bare words"
    if not any(map(str.isalpha, words)):
        return "has no letters"
    return "" if tokens(words) else "no word of it can be looked up"


def speech(candidate: Candidate) -> str:
    """What speaks to an agent instead of naming a subject."""
    spoken = order(candidate.words) or _ORDER.search(candidate.words)
    return "reads like an instruction" if spoken else ""


def secret(candidate: Candidate) -> str:
    """What has the shape of a secret."""
    return UNTOLD if next(secrets_in(candidate.words), None) else ""


def known(candidate: Candidate) -> str:
    """What the memory says itself."""
    piece = candidate.sieve.contained(candidate.said, candidate.words)
    return f"the memory says {piece} already" if piece else ""


def everyday(candidate: Candidate) -> str:
    """What anyone says about any project."""
    rare = candidate.sieve.rare
    return "" if any(map(rare, tokens(candidate.words))) else "is in everybody's mouth"


def taken(candidate: Candidate) -> str:
    """What another memory speaks of or was given, or a retired one is called."""
    others = candidate.sieve.others
    if key_of(candidate.words) in others.retired:
        return "is what a retired memory is called"
    given = candidate.sieve.given.get(key_of(candidate.words), candidate.memory.name)
    if given != candidate.memory.name:
        return f"{given} has just been given it"
    whole = {terms[0] for _, _, terms in split_words(candidate.words)}
    telling = {term for term in whole if not candidate.sieve.is_slight(term)}
    name = others.speaking_of(telling, candidate.number) if telling else ""
    return f"{name} speaks of it" if name else ""


def first(candidate: Candidate) -> str:
    """What other memories answer better, or nothing does."""
    ranking = Ranking(candidate.trial, segments(candidate.words), candidate.sieve.rarity)
    if not ranking.best:
        return "says too little to look anything up"
    if ranking.best[0].memory == candidate.number:
        return ""
    return f"{candidate.sieve.table.record(ranking.best[0].memory)['name']} comes first for it"


def lifting(candidate: Candidate) -> str:
    """What would bring the memory up where it does not belong, with those before it."""
    said = (*candidate.kept, candidate.words)
    terms = {terms[0] for word in said for _, _, terms in split_words(word)}
    many = candidate.sieve.unrelated.lifted(candidate.number, candidate.trial, terms)
    return f"lifts the memory into {many}" if many else ""


RULES: tuple[Callable[[Candidate], str], ...] = (
    secret, form, speech, known, everyday, taken, first, lifting,
)  # fmt: skip
"""In this order: the first that objects is told."""
