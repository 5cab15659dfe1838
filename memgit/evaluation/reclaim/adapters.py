"""Notes that other systems write, in the same slot: LangChain's summary memory, vector retrieval.

The one rule: each is used as it comes, with its own prompt and defaults; a rule writes no summary,
so the first needs a model as the reader, and vectors come from a server of this machine.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from memgit.errors import UsageError
from memgit.evaluation.reclaim.readers import Reader
from memgit.evaluation.reclaim.wording import FREE

LANGCHAIN, VECTOR = "langchain_summary", "vector_rag"
ADAPTERS = (LANGCHAIN, VECTOR)

INSTALL = "pip install 'memgit-tools[langchain]'"
NEAREST = 4
"""Turns of a session that retrieval brings."""

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""From texts to vectors, one for each."""


def langchain_summary(said: Sequence[tuple[str, str]], reader: Reader) -> str:
    """What LangChain's ConversationSummaryMemory holds of a session: one call for each pair.

    Raises UsageError where the reader is a rule, or the package is not installed.
    """
    if reader.deterministic:
        raise UsageError(f"{LANGCHAIN} needs a model as the reader", "name one, or other policies")
    try:
        from langchain_classic.memory import ConversationSummaryMemory
        from langchain_core.language_models.llms import LLM
    except ImportError:
        raise UsageError(f"{LANGCHAIN} needs the package langchain-classic", INSTALL) from None

    class Writer(LLM):  # type: ignore[misc]
        """The reader as LangChain asks it."""

        @property
        def _llm_type(self) -> str:
            return "memgit reader"

        def _call(self, prompt: str, stop: Any = None, run_manager: Any = None, **more: Any) -> str:
            return reader.reply([{"role": "user", "content": prompt}], FREE)

    memory = ConversationSummaryMemory(llm=Writer())
    for asked, answered in pairs(said):
        memory.save_context({"input": asked}, {"output": answered})
    return str(memory.load_memory_variables({})["history"])


def vector_rag(said: Sequence[tuple[str, str]], query: str, embed: Embed) -> str:
    """The four turns of a session that lie nearest to a correction, in their order."""
    texts = [f"{who}: {text}" for who, text in said]
    wanted, *vectors = embed([query, *texts])
    near = sorted(range(len(texts)), key=lambda at: -_cosine(wanted, vectors[at]))[:NEAREST]
    return "\n".join(texts[at] for at in sorted(near))


def pairs(said: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """A session as (what people said in a row, what was answered)."""
    found: list[tuple[str, str]] = []
    asked: list[str] = []
    for who, text in said:
        if who == "user":
            asked.append(text)
        else:
            found.append(("\n".join(asked), text))
            asked = []
    return [*found, ("\n".join(asked), "")] if asked else found


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    length = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / length if length else 0.0
