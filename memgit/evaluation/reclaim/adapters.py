"""Notes that other systems write, in the same slot: LangChain's summary memory, mem0, vectors.

The one rule: each is used as it comes, with its own prompts and defaults; a rule writes no notes,
so the first two need a model as the reader, and vectors come from a server of this machine.
"""

import importlib.util
import logging
import math
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from memgit.errors import ModelError, UsageError
from memgit.evaluation.reclaim.readers import Message, Reader
from memgit.evaluation.reclaim.wording import FREE

LANGCHAIN, MEM0, VECTOR = "langchain_summary", "mem0", "vector_rag"
ADAPTERS = (LANGCHAIN, MEM0, VECTOR)

PACKAGES = {LANGCHAIN: ("langchain_classic", "langchain"), MEM0: ("mem0", "mem0")}
"""Policy → the package that it needs, and the extra of ours that brings it."""

MOST = 10_000
"""Facts of one session that mem0 is asked for: all of them."""

NEAREST = 4
"""Turns of a session that retrieval brings."""

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""From texts to vectors, one for each."""

Said = TypeVar("Said")


def nobody(texts: Sequence[str]) -> Sequence[Sequence[float]]:
    """Where no server embeds."""
    raise UsageError("there is no server that embeds", "name one with --embed-url")


def check(policy: str, reader: Reader, embed: Embed) -> None:
    """Raises UsageError where a policy of another system has not what it needs."""
    if policy in PACKAGES:
        package, extra = PACKAGES[policy]
        if reader.deterministic:
            raise UsageError(f"{policy} needs a model as the reader", "name one, or other policies")
        if importlib.util.find_spec(package) is None:
            raise UsageError(f"{policy} needs the package {package}",
                             f"pip install 'memgit-tools[{extra}]'")  # fmt: skip
    if policy in (MEM0, VECTOR) and embed is nobody:
        raise UsageError(f"{policy} needs a server that embeds", "name one with --embed-url")


def langchain_summary(said: Sequence[tuple[str, str]], reader: Reader) -> str:
    """What LangChain's ConversationSummaryMemory holds of a session: one call for each pair."""
    from langchain_classic.memory import ConversationSummaryMemory
    from langchain_core.language_models.llms import LLM

    class Writer(LLM):  # type: ignore[misc]
        """The reader as LangChain asks it."""

        @property
        def _llm_type(self) -> str:
            return "memgit reader"

        def _call(self, prompt: str, stop: Any = None, run_manager: Any = None, **more: Any) -> str:
            return reader.reply([{"role": "user", "content": prompt}], FREE)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of its makers; it is what is measured
        memory = ConversationSummaryMemory(llm=Writer())
    for asked, answered in pairs(said):
        memory.save_context({"input": asked}, {"output": answered})
    return str(memory.load_memory_variables({})["history"])


def mem0_facts(said: Sequence[tuple[str, str]], reader: Reader, embed: Embed, folder: Path) -> str:
    """Every fact that mem0 holds of a session, in the order in which it took them: one call for
    each pair. Its files lie below `folder`, and it reports to nobody. Raises what the models raise.
    """
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder)}  # read as it is imported
    from mem0 import Memory

    logging.getLogger("mem0").setLevel(logging.CRITICAL)
    models = _Models(reader, embed)
    own = Path(tempfile.mkdtemp(prefix="mem0-", dir=folder))
    vectors = {"path": str(own / "vectors"), "embedding_model_dims": len(models.embed("a"))}
    held = Memory.from_config({
        # Both are replaced below, before anything is asked of them.
        "llm": {"provider": "lmstudio", "config": {}},
        "embedder": {"provider": "lmstudio", "config": {}},
        "vector_store": {"provider": "qdrant", "config": vectors},
        "history_db_path": str(own / "history.db"),
    })  # fmt: skip
    held.llm, held.embedding_model = models, models
    order: list[str] = []
    try:
        for turns in pairs(said):
            named = zip(("user", "assistant"), turns, strict=True)
            given = [{"role": who, "content": text} for who, text in named if text]
            with models.heard():
                order += [one["id"] for one in held.add(given, user_id="person")["results"]]
        kept = held.get_all(filters={"user_id": "person"}, top_k=MOST)["results"]
    finally:
        held.vector_store.client.close()
        held.close()
    facts = {one["id"]: str(one["memory"]) for one in kept}
    return "\n".join(facts[key] for key in order if key in facts)


class _Models:
    """The reader and the vectors as mem0 asks them. It passes over some of their faults, and makes
    others its own; `heard` raises them as they were.
    """

    def __init__(self, reader: Reader, embed: Embed) -> None:
        self._reader = reader
        self._embed = embed
        self._fault: ModelError | None = None

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Within it mem0 asks. Raises the ModelError that a model met with, whatever mem0 makes of
        it.
        """
        try:
            yield
        finally:
            if self._fault:
                raise self._fault

    def generate_response(self, messages: Sequence[Message], **_: Any) -> str:
        """The reply of the reader."""
        return self._kept(lambda: self._reader.reply(messages, FREE))

    def embed(self, text: str, *_: Any) -> list[float]:
        """The vector of a text."""
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: Sequence[str], *_: Any) -> list[list[float]]:
        """A vector of each text."""
        return self._kept(lambda: [list(one) for one in self._embed(texts)])

    def _kept(self, asked: Callable[[], Said]) -> Said:
        try:
            return asked()
        except ModelError as fault:
            self._fault = self._fault or fault
            raise


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
