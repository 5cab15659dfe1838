"""Stores of any size, made from a seed: memories in two languages, and prompts about them.

The one rule: the same seed and size give the same bytes on every machine, so that numbers measured
in two places were measured on the same store.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memgit.domain.memory import TYPES
from memgit.evaluation.vocabulary import COMPOUNDS, TRADE, Dice, Topic, Vocabulary, identifier
from memgit.ports.git import Repository

GENERATION = 1
"""Raised whenever the same seed would give other bytes than before."""

PROMPT_WORDS = 160
"""Words of a prompt; a Japanese one has as many characters as such a prompt takes, 2.5 a word."""

JAPANESE = 1 / 3
"""Share of memories and of prompts in Japanese."""

LENGTHS = (32, 46, 60, 74, 89, 104, 120, 139, 162, 194, 240, 313, 450)
"""Words of a memory, at thirteen steps of a log-normal distribution: median 120, sigma 0.67."""

NAMES = 0.06
"""Share of a memory's words that are identifiers of its topic."""

NAMES_ASKED = 0.02
"""The same in what people type."""

_FOLDERS = {"user": "people", "feedback": "rules", "project": "project", "reference": "reference"}
_PARTICLES = ("は", "が", "を", "に", "で", "と", "の", "から", "まで", "も", "へ", "より")
_ENDINGS = ("する", "した", "している", "しない", "できる", "が必要", "になる", "を使う", "は禁止")
_COMMITTER = "generated <generated@example.com> 1767225600 +0000"


@dataclass(frozen=True)
class Text:
    """One generated memory: where its file lies in the store, and the file."""

    path: str
    data: bytes


@dataclass(frozen=True)
class Prompt:
    """A question about the memory `target` (its number), buried in other text."""

    text: str
    japanese: bool
    target: int


@dataclass(frozen=True)
class _Subject:
    """What a memory is about, as its name, its description and a question about it say it."""

    topic: Topic
    japanese: bool
    words: tuple[str, ...]
    identifier: str


class GeneratedStore:
    """The texts of one store of `size` memories."""

    def __init__(self, seed: int, size: int) -> None:
        self.seed = seed
        self.size = size
        self._vocabulary = Vocabulary(seed, size)

    def memories(self) -> Iterator[Text]:
        """Every memory, in order; paths are unique."""
        taken: dict[str, int] = {}
        for number in range(self.size):
            dice = self._dice("memory", number)
            subject = self._subject(dice)
            name = _slug(subject.words)
            taken[name] = taken.get(name, 0) + 1
            if taken[name] > 1:
                name = f"{name}-{taken[name]}"
            yield self._memory(name, subject, dice)

    def prompts(self, number: int) -> list[Prompt]:
        """Prompts about memories spread over the store, the languages shared as in the store."""
        found = []
        for place in range(number):
            target = place * self.size // number
            japanese = int((place + 1) * JAPANESE) > int(place * JAPANESE)
            while self._subject(self._dice("memory", target)).japanese != japanese:
                target = (target + 1) % self.size
            found.append(Prompt(self._prompt(target), japanese, target))
        return found

    def _dice(self, *what: object) -> Dice:
        return Dice(self.seed, self.size, *what)

    def _subject(self, dice: Dice) -> _Subject:
        japanese = dice.chance(JAPANESE)
        topic = self._vocabulary.topic(dice)
        if japanese:
            words = [topic.compounds.draw(dice), topic.katakana.draw(dice),
                     topic.compounds.draw(dice), dice.pick(COMPOUNDS)]  # fmt: skip
        else:
            words = [topic.words.draw(dice), topic.words.draw(dice),
                     self._vocabulary.english.items[dice.between(110, 900)],
                     dice.pick(TRADE)]  # fmt: skip
        name = topic.identifiers.draw(dice) if dice.chance(0.6) else self._own_identifier(dice)
        return _Subject(topic, japanese, tuple(dict.fromkeys(words)), name)

    def _own_identifier(self, dice: Dice) -> str:
        return identifier(dice, self._vocabulary.english.items[110:])

    def _memory(self, name: str, subject: _Subject, dice: Dice) -> Text:
        kind = dice.pick((*TYPES, "project", "project"))
        sentence = self._japanese if subject.japanese else self._english
        described = " ".join((*subject.words, sentence(dice, subject.topic, 5)))
        head = [
            "---",
            f"name: {name}",
            f"description: {_plain(described)}",
            "metadata:",
            "  node_type: memory",
            f"  type: {kind}",
            "  topics:",
            f"    - {subject.words[0]}",
        ]
        if dice.chance(0.5):
            head += ["  aliases:", f"    - {' '.join(subject.words[1:3])} {dice.pick(TRADE)}"]
        if dice.chance(0.03):
            head.append(f"  unverified: {dice.pick(TRADE)} not found")
        month, day, hour = dice.between(1, 12), dice.between(1, 28), dice.between(0, 23)
        head += [f"  modified: 2025-{month:02}-{day:02}T{hour:02}:15:00.000Z", "---", ""]
        body = self._body(subject, dice)
        path = f"{_FOLDERS[kind]}/{name}.md"
        return Text(path, ("\n".join(head) + body).encode())

    def _body(self, subject: _Subject, dice: Dice) -> str:
        """Headings, paragraphs, lists and code until the memory has its length."""
        goal = dice.pick(LENGTHS) * dice.between(90, 110) // 100
        words = " ".join(subject.words)
        blocks = [f"# {words}", self._paragraph(subject, dice, subject.identifier)]
        length = len(words.split()) + 30
        while length < goal:
            kind = dice.random()
            if kind < 0.12:
                block = f"## {subject.topic.words.draw(dice)} {dice.pick(TRADE)}"
            elif kind < 0.3:
                block = self._code(subject.topic, dice)
            elif kind < 0.5:
                rows = [self._sentence(subject, dice) for _ in range(dice.between(2, 5))]
                block = "\n".join(f"- {row}" for row in rows)
            else:
                block = self._paragraph(subject, dice)
            blocks.append(block)
            length += len(block) // 3 if subject.japanese else len(block.split())
        return "\n\n".join(blocks) + "\n"

    def _paragraph(self, subject: _Subject, dice: Dice, named: str = "") -> str:
        sentences = [self._sentence(subject, dice) for _ in range(dice.between(1, 3))]
        if named:
            sentences[0] = f"`{named}`: {sentences[0]}"
        return ("" if subject.japanese else " ").join(sentences)

    def _sentence(self, subject: _Subject, dice: Dice) -> str:
        make = self._japanese if subject.japanese else self._english
        return make(dice, subject.topic, dice.between(6, 16))

    def _english(self, dice: Dice, topic: Topic, length: int, names: float = NAMES) -> str:
        found = []
        for _ in range(length):
            kind = dice.random()
            if kind < names:
                found.append(f"`{topic.identifiers.draw(dice)}`")
            elif kind < 1.4 * names:
                found.append(self._own_identifier(dice))
            elif kind < 0.38:
                found.append(topic.words.draw(dice))
            else:
                found.append(self._vocabulary.english.draw(dice))
        text = " ".join(found)
        return f"{text[0].upper()}{text[1:]}."

    def _japanese(self, dice: Dice, topic: Topic, length: int, names: float = NAMES) -> str:
        """Nouns with their particles, an ending; identifiers stand between the words."""
        found = []
        for _ in range(max(2, length // 2)):
            kind = dice.random()
            if kind < 2 * names:
                noun = f" `{topic.identifiers.draw(dice)}` "
            elif kind < 0.25:
                noun = topic.katakana.draw(dice)
            elif kind < 0.4:
                noun = self._vocabulary.katakana.draw(dice)
            elif kind < 0.65:
                noun = topic.compounds.draw(dice)
            else:
                noun = self._vocabulary.compounds.draw(dice)
            found += [noun, dice.pick(_PARTICLES)]
        return f"{''.join(found)}{topic.compounds.draw(dice)}{dice.pick(_ENDINGS)}。".lstrip()

    def _code(self, topic: Topic, dice: Dice) -> str:
        rows = [
            f"{topic.identifiers.draw(dice)} {topic.words.draw(dice)} = {dice.below(9000)}"
            for _ in range(dice.between(2, 6))
        ]
        return "\n".join((f"```{dice.pick(('sh', 'python', 'toml', ''))}", *rows, "```"))

    def _prompt(self, target: int) -> str:
        """The question, with sentences about other things on both sides of it."""
        subject = self._subject(self._dice("memory", target))
        dice = self._dice("prompt", target)
        question = _question(subject)
        before: list[str] = []
        after: list[str] = []
        make = self._japanese if subject.japanese else self._english
        measure = len if subject.japanese else _words
        room = int(PROMPT_WORDS * 2.5) if subject.japanese else PROMPT_WORDS
        room -= measure(question)
        others = [self._vocabulary.topic(dice) for _ in range(2)]
        while room > 0:
            other = make(dice, dice.pick(others), dice.between(8, 22), NAMES_ASKED)
            if not subject.japanese:
                other = " ".join(other.split()[:room])
            (before if dice.chance(0.5) else after).append(other)
            room -= measure(other)
        return ("" if subject.japanese else " ").join([*before, question, *after])


def write_repository(folder: Path, texts: Iterable[Text]) -> int:
    """A store in `folder`, which is made: one commit, its files checked out. Returns their bytes.

    git reads all files as one stream, which is many times faster than adding them from the disk.
    """
    repository = Repository.create(folder)
    branch = repository.run("symbolic-ref", "HEAD")
    commit = f"commit {branch}\ncommitter {_COMMITTER}\ndata 9\ngenerated\n"
    stream = [commit.encode(), file_of_stream("memgit.toml", b"format = 1\n")]
    size = 0
    for text in texts:
        size += len(text.data)
        stream.append(file_of_stream(text.path, text.data))
    repository.run("fast-import", "--quiet", stdin=b"".join(stream))
    repository.run("-c", "core.autocrlf=false", "reset", "--quiet", "--hard")
    return size


def file_of_stream(path: str, data: bytes) -> bytes:
    """The lines of a git fast-import stream that put a file into a commit."""
    return b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)


def _question(subject: _Subject) -> str:
    first, *rest = subject.words
    if subject.japanese:
        return f"{first}の{'と'.join(rest)}について、{subject.identifier} はどう決めましたか？"
    return f"What did we decide about the {first} {' '.join(rest)} for {subject.identifier}?"


def _words(text: str) -> int:
    return len(text.split())


def _slug(words: Iterable[str]) -> str:
    return "-".join(words).lower()


def _plain(text: str) -> str:
    """Words that YAML takes as they are, without quotation marks."""
    return " ".join(text.replace("`", "").replace(": ", " ").replace(" #", " ").split())
