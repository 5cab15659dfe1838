"""What two sides of a merge each did to one memory, and what no merge can decide.

The one rule: both stand; a person says which.
"""

from collections.abc import Iterator

from memgit.domain.gates.scope import Scope
from memgit.domain.gates.table import Gate
from memgit.domain.links import references
from memgit.errors import Fault

KEY = "superseded_by"


def replaced_twice(scope: Scope) -> Iterator[Fault]:
    """Memories that name more than one successor."""
    for file in scope.files:
        names = dict.fromkeys(references(file.memory, KEY))
        if len(names) > 1:
            text = (
                f"superseded by {' and by '.join(names)}; until one is taken out, the first counts"
            )
            yield Fault(file.path, file.line_of(KEY), "successors", text)


SUCCESSORS = Gate(
    "successors", replaced_twice,
    explanation="A memory has one successor.",
    why="Two people each replaced it by another memory, and the merge of both keeps both words.",
    example="superseded_by, with two names below it",
    fix="leave the one that holds in the file, and take the other out",
    blocks=False,
)  # fmt: skip
"""The gate that finds it; it does not stop a commit."""
