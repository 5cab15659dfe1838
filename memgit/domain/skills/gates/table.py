"""The table of the gates of drafts.

The one rule: a gate only looks, and yields each fault with its line. Adding one is writing the
function and adding its entry here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memgit.domain.skills.draft import LARGEST, Draft
from memgit.domain.skills.gates import text, world
from memgit.domain.skills.gates.scene import Scene
from memgit.errors import Fault

TEXT, STORE, HERE = "text", "store", "here"
"""What a gate looks at: the draft alone; the store and what is known of its sessions, so that what
it says is wrong is wrong; this machine, where what is missing may be elsewhere."""


@dataclass(frozen=True)
class DraftGate:
    """One kind of fault: `find` yields (line, what is wrong); `looks_at` is one of the three."""

    code: str
    find: Callable[[Draft, Scene], Iterator[tuple[int, str]]]
    holds: str
    looks_at: str = TEXT


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
    DraftGate("counted", world.counted, "Three sessions did it, and no other is named.", STORE),
    DraftGate("failed", world.failed, "The failure was seen where it says.", STORE),
    DraftGate("overlap", world.overlap, "No skill or draft has its steps.", STORE),
    DraftGate("retired", world.retired, "No memory that was retired says it.", STORE),
    DraftGate("recounted", world.recounted, "Its sessions are counted again here.", HERE),
    DraftGate("built-in", world.built_in, "The agent that is here has none of its name.", HERE),
    DraftGate("resolves", world.resolves, "Commands and paths are there.", HERE),
)  # fmt: skip
"""Every gate, in the order in which it looks."""

_OF_ANY_SIZE = tuple(gate for gate in GATES if gate.code == "size")


def judge(draft: Draft, scene: Scene, *of: str) -> list[Fault]:
    """What the gates find in a draft; those that look at one `of` these, where any is named.

    Of a file that is too large only that is told: nobody waits for what is not read.
    """
    gates = _OF_ANY_SIZE if len(draft.data) > LARGEST else GATES
    return [
        Fault(draft.path, line, gate.code, what)
        for gate in gates
        if not of or gate.looks_at in of
        for line, what in dict.fromkeys(gate.find(draft, scene))
    ]
