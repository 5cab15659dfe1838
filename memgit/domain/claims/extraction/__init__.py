"""Claims that a memory makes in so many words, found without a model.

The one rule: what is found passes the same checks as what a stranger wrote into the frontmatter;
and what may not be claimed at all is told with its reason.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgit.domain.claims.claim import Claim, told_by
from memgit.domain.claims.extraction.forms import Form, forms_of
from memgit.domain.claims.extraction.others import others
from memgit.domain.claims.extraction.paths import Knows, paths
from memgit.domain.claims.extraction.pulls import MERGED, pulls
from memgit.domain.claims.extraction.reading import Line, lines
from memgit.domain.claims.validation import MOODS, Refusal, accepted
from memgit.domain.memory import Memory
from memgit.domain.operation import one_line

QUOTED = 200
"""Characters of a line that a claim quotes."""


@dataclass(frozen=True)
class Extracted:
    """What a memory claims, each claim once, and what it says that cannot be claimed."""

    claims: tuple[Claim, ...]
    refused: tuple[Refusal, ...]


def extract(memory: Memory, text: str, knows: Knows) -> Extracted:
    """The claims of a memory, whose whole file is `text`: those it states, those below its key.

    `knows` tells whether a root has, or had, a path.
    """
    stated, refused = told_by(memory, text)
    found: dict[str, Claim] = {}
    forms = forms_of(text.lower())
    for line in lines(text):
        for one in _of_line(line, knows, forms):
            if isinstance(one, Refusal):
                refused.append(one)
            else:
                found.setdefault(one.key, one)
    for claim in stated:
        found.setdefault(claim.key, claim)
    return Extracted(tuple(found.values()), tuple(refused))


def _of_line(line: Line, knows: Knows, forms: Sequence[Form]) -> Iterator[Claim | Refusal]:
    for path in paths(line, knows):
        yield _claim("path_exists", {"path": path.path}, path.text, line)
    for pull in pulls(line):
        for state in pull.states:
            if state != MERGED:
                yield Refusal(pull.text, f"{state} is a mood, not a state: {MOODS[state]}",
                              line.number)  # fmt: skip
            else:
                repository = {"repo": pull.repository} if pull.repository else {}
                about = {"number": pull.number, **repository}
                yield _claim("pr_merged", about, pull.text, line)
    for said in others(line, forms):
        yield _claim(said.probe, dict(said.arguments), said.text, line)


def _claim(probe: str, arguments: dict[str, object], mention: str, line: Line) -> Claim | Refusal:
    found = accepted(probe, arguments, mention, line.number)
    if isinstance(found, Refusal):
        return found
    return Claim(probe, found.arguments, mention, line.number, one_line(line.text)[:QUOTED])
