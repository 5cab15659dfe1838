"""The table of the gates of drafts.

The one rule: a gate only looks, and yields each fault with its line. Adding one is writing the
function and adding its entry here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memgit.domain.skills.draft import Draft
from memgit.domain.skills.gates import text, world
from memgit.domain.skills.gates.scene import Scene
from memgit.errors import Fault


@dataclass(frozen=True)
class DraftGate:
    """One kind of fault: `find` yields (line, what is wrong). What is `of_text` is the same on
    every machine; the rest is looked up on this one.
    """

    code: str
    find: Callable[[Draft, Scene], Iterator[tuple[int, str]]]
    holds: str
    of_text: bool = True


GATES = (
    DraftGate("shape", text.shape, "It can be read, and says what a skill must say."),
    DraftGate("inert", text.inert, "No model may call a draft."),
    DraftGate("name", text.name, "Its name is nobody else's."),
    DraftGate("size", text.size, "It is about a page: 150 to 1,500 tokens."),
    DraftGate("loads", text.loads, "Nothing runs, is read or is allowed when it is loaded."),
    DraftGate("hides", text.hides, "It speaks to nobody in secret."),
    DraftGate("failure", text.failure, "It prevents one failure, with evidence."),
    DraftGate("fallback", text.fallback, "It names a lighter way."),
    DraftGate("leak", text.leak, "It gives away nothing of one task."),
    DraftGate("counted", world.counted, "Three sessions did it, counted again.", of_text=False),
    DraftGate("failed", world.failed, "The failure was seen where it says.", of_text=False),
    DraftGate("resolves", world.resolves, "Commands and paths are there.", of_text=False),
    DraftGate("overlap", world.overlap, "No skill or draft has its steps.", of_text=False),
    DraftGate("retired", world.retired, "No memory that was retired says it.", of_text=False),
)  # fmt: skip
"""Every gate, in the order in which it looks."""


def judge(draft: Draft, scene: Scene, of_text_only: bool = False) -> list[Fault]:
    """What the gates find in a draft."""
    return [
        Fault(draft.path, line, gate.code, what)
        for gate in GATES
        if gate.of_text or not of_text_only
        for line, what in dict.fromkeys(gate.find(draft, scene))
    ]
