"""From a candidate that was judged to a proposal: the memory as it would be, with its sources.

The one rule: the source comes first. What was worked out from quoted words gives way to the words,
and every memory tells how many of the passages that it rests on it quotes.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from memgit.domain.harvesting.candidate import Candidate
from memgit.domain.harvesting.heard import Found
from memgit.domain.harvesting.values import is_worked_out, unborne
from memgit.domain.memory import Memory, render, slug
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.proposals.carrying_out import blob_of
from memgit.domain.proposals.proposal import Evidence, Judgement, Proposal
from memgit.domain.store import Store
from memgit.passes.harvesting.windows import without_secrets

ACTOR = "harvest"

SOURCES = 6
"""Sources of one memory, from which on one more tells nothing new."""

LONGEST = 400
"""Characters of a quote that is kept."""


def evidence(found: Sequence[Found]) -> tuple[Evidence, ...]:
    """What the quotes of a candidate leave: their words, without secrets, and their places."""
    kept = (replace(one.evidence, quote=without_secrets(one.words)[:LONGEST]) for one in found)
    return tuple(dict.fromkeys(kept))


def add(
    candidate: Candidate, found: Sequence[Found], now: datetime, said: Sequence[Judgement]
) -> Proposal:
    """A proposal to remember it."""
    memory = _memory(candidate, found, now)
    return Proposal(
        "add", ACTOR, (memory.name,), path=memory.path, text=_text(memory),
        because=_because(found), confidence=candidate.confidence, evidence=evidence(found),
        judgements=tuple(said), made=_iso(now),
    )  # fmt: skip


def supersede(store: Store, old: Memory, made: Proposal) -> Proposal:
    """The same proposal, in place of a memory of the store."""
    return replace(
        made, kind="supersede", memories=(old.name,), to=made.name, seen=blob_of(store, old.path)
    )


def confirm(store: Store, old: Memory, made: Proposal, doubt: str) -> Proposal | None:
    """A proposal to add the quotes to a memory that says so already; None where it has them."""
    given = old.metadata.get("sources")
    sources = list(given) if isinstance(given, list) else [given] if given else []
    quoted = {str(one.get("quote")) for one in sources if isinstance(one, dict)}
    fresh = [one for one in made.evidence if one.quote not in quoted]
    if not fresh or len(sources) + len(fresh) > SOURCES:
        return None
    data = with_keys(
        old.path, store.content(old.path),
        {"sources": [*sources, *(one.as_source() for one in fresh)]},
    )  # fmt: skip
    judged = (*made.judgements, *([Judgement("same", False, doubt)] if doubt else []))
    return replace(
        made, kind="confirm", memories=(old.name,), path=old.path, evidence=tuple(fresh),
        text=data.decode("utf-8", "surrogatepass"), seen=blob_of(store, old.path),
        judgements=judged,
    )  # fmt: skip


def refute(store: Store, old: Memory, made: Proposal) -> Proposal:
    """A proposal to label a memory of the store as refuted by these words."""
    return replace(
        made, kind="label", memories=(old.name,), to="refuted", path="", text="",
        seen=blob_of(store, old.path),
    )  # fmt: skip


def without_conclusions(candidate: Candidate, found: Sequence[Found]) -> Candidate:
    """The candidate without lines that state what can be worked out from the words it quotes."""
    said = [one.around for one in found]

    def is_conclusion(line: str) -> bool:
        loose = unborne(line, [*said, *(one.words for one in found)])
        return any(is_worked_out(value, said) for value in loose)

    lines = candidate.text.split("\n")
    kept = [line for line in lines if not is_conclusion(line)]
    description = candidate.description
    if is_conclusion(description):
        description = found[0].words[:160]
    elif len(kept) == len(lines):
        return candidate
    if not any(line.strip() for line in kept):
        kept = [f"> {one.words}" for one in found]
    return replace(candidate, description=description, text="\n".join(kept))


def _memory(candidate: Candidate, found: Sequence[Found], now: datetime) -> Memory:
    name = slug(candidate.name) or slug(candidate.description) or "memory"
    quoted = len(evidence(found))
    metadata = {
        "topics": list(candidate.topics) or None,
        "sources": [one.as_source() for one in evidence(found)],
        "kept": f"{quoted} of {max(quoted, len(candidate.quotes), candidate.mentions)}",
        "origin": ACTOR,
        "originSessionId": found[0].turn.session or None,
        "modified": said_at(found) or _iso(now),
    }
    body = without_secrets(candidate.text or candidate.description).strip() + "\n"
    description = without_secrets(candidate.description)
    memory = Memory(f"{name}.md", name, description, candidate.type, body)
    return memory.with_metadata(**metadata)


def said_at(found: Sequence[Found]) -> str:
    """The ISO time of the last of the quotes; "" where the session tells none."""
    times = []
    for one in found:
        try:
            times.append(datetime.fromisoformat(one.turn.time).astimezone(UTC))
        except ValueError:
            continue
    return _iso(max(times)) if times else ""


def _text(memory: Memory) -> str:
    return render(memory).decode("utf-8", "surrogatepass")


def _because(found: Sequence[Found]) -> str:
    first = found[0]
    words = without_secrets(first.words)[:160]
    return f"{first.role} said “{words}” (session {first.turn.session[:8]}, turn {first.number})"


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
