"""A trial of the prompt hook: the real process, an event on stdin, what it says and what it costs.

The one rule: it is started as the agent starts it, and timed in turn with a bare interpreter, so
that a busy machine slows both.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, mode

from memgit.domain.connecting.agent import FLAGS
from memgit.domain.connecting.agents import AGENTS
from memgit.ports.interpreter import bare
from memgit.ports.processes import Ended, run
from memgit.ports.shipped import shipped

EVENT = "UserPromptSubmit"
PROMPTS = frozenset(agent.prompt.name for agent in AGENTS.values())
"""What agents call a prompt."""

ROUNDS = 5


@dataclass(frozen=True)
class Trial:
    """What the hook said ("" for silence), what is wrong with it, and the median times in s."""

    text: str
    fault: str
    seconds: float
    bare: float

    @property
    def factor(self) -> float:
        """How many times the bare interpreter's time it took."""
        return self.seconds / self.bare if self.bare else 0.0


def hook_command(root: Path) -> list[str]:
    """The hook of the store at `root`: what an agent's settings lead to."""
    launcher = shipped("hooks") / "recall.py"
    return [bare(launcher), *FLAGS, str(launcher), "--store", str(root)]


def event(prompt: str, folder: Path) -> bytes:
    """A prompt as the agent hands it over; it belongs to no session, so none remembers it."""
    told = {"hook_event_name": EVENT, "cwd": str(folder), "prompt": prompt}
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")


def attempt(command: Sequence[str], given: bytes, folder: Path, rounds: int = ROUNDS) -> Trial:
    """Start `command`, whose first word is a Python, with an event a few times, in turn with it."""
    first = run(command, given, folder)  # finds the files cold; what it says counts, its time not
    if fault := fault_of(first):
        return Trial("", fault, first.seconds, 0.0)
    hook, nothing = [], []
    for _ in range(rounds):
        hook.append(run(command, given, folder))
        nothing.append(run([*command[:1], "-I", "-S", "-c", "pass"], b"", folder).seconds)
    texts = [heard(ended) for ended in (first, *hook)]
    faults = [fault for ended in hook if (fault := fault_of(ended))]
    seconds = median(ended.seconds for ended in hook)
    return Trial(mode(texts), faults[0] if faults else "", seconds, median(nothing))


def heard(ended: Ended) -> str:
    """The text that the agent would be given; "" where it would be given none."""
    try:
        said = json.loads(ended.out)["hookSpecificOutput"]
        return str(said["additionalContext"]) if said["hookEventName"] in PROMPTS else ""
    except (ValueError, KeyError, TypeError):
        return ""


def memories_in(text: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the memories that a text cites by path, in its order; `names` is by path."""
    places = {path: text.find(f"({path};") for path in names}
    cited = sorted((place, path) for path, place in places.items() if place >= 0)
    return tuple(names[path] for _, path in cited)


def fault_of(ended: Ended) -> str:
    """Why this is not how a hook should end; "" when it is silent or gives the agent a text."""
    if ended.stopped:
        return ended.stopped
    if ended.status:
        said = ended.err.decode("utf-8", "replace").strip().splitlines()
        return f"exit code {ended.status}" + (f": {said[-1]}" if said else "")
    if ended.out.strip() and not heard(ended):
        return "it prints something else than the one JSON object that the agent takes"
    return ""
