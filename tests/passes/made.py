"""Sessions and answers made for tests of the harvest: the model is scripted, and often wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memgit.domain.transcripts.turns import Step, Turn
from memgit.ports.model.door import Answer, Request, Usage
from memgit.ports.model.fitting import fitted

SESSION = "5e551017-0000-4000-8000-000000000001"


def did(result: str, tool: str = "Bash", failed: bool = False, **given: str) -> Step:
    """A call of a tool and what it answered."""
    return Step("r", tool=tool, input=given, result=result, failed=failed)


def said(text: str) -> Step:
    """Something that the agent said."""
    return Step("a", text=text)


def turn(
    prompt: str, *steps: Step, day: int = 1, remarks: Sequence[str] = (),
    contexts: Sequence[str] = (), session: str = SESSION, id_: str = "",
) -> Turn:  # fmt: skip
    """A turn of a day in November."""
    answer = "\n".join(step.text for step in steps if step.text)
    return Turn(
        session, id_ or f"turn-{abs(hash(prompt)) % 10_000}", f"2026-11-{day:02}T09:00:00.000Z",
        "/home/me/app", 0, 1, prompt, answer, tuple(steps), tuple(remarks), tuple(contexts),
    )  # fmt: skip


def memory(
    text: str, *quotes: tuple[int, str, str], name: str = "", type_: str = "project",
    **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """One memory of an answer: `quotes` are (turn, by, words)."""
    words = [{"turn": number, "by": by, "words": said} for number, by, said in quotes]
    return {
        "type": type_, "name": name or "-".join(text.lower().split()[:4]), "description": text,
        "text": text, "quotes": words, "mentions": len(words), "state": "holds", "known": "",
        "relation": "new", "confidence": 0.95, "topics": [], **more,
    }  # fmt: skip


@dataclass
class Scripted:
    """A model that gives the answers it was made with, in order, the last one again and again."""

    answers: Sequence[Sequence[Mapping[str, Any]]]
    name: str = "replay"
    asked: list[Request] = field(default_factory=list)

    def ask(self, request: Request) -> Answer:
        """The next answer."""
        place = min(len(self.asked), len(self.answers) - 1)
        self.asked.append(request)
        value = {"memories": list(self.answers[place])}
        return Answer(fitted(value, request.schema), Usage(100, 10, model="scripted"))
