"""Adding words that lead to memories, many memories in one operation.

The one rule: it is one commit that can be undone as one, and of each file only the key of these
words changes: a memory is not made any newer by being found more easily.
"""

from collections.abc import Sequence

from memgit.domain.memory import decode, parse
from memgit.domain.operation import Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.proposals.carrying_out import blob_of
from memgit.domain.proposals.guards import Case, judge
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store

KEY = "asked_as"

BY = Provenance(
    "enrich", "people may type this, and the memory does not say it", guards=("sieve", "words")
)
"""Where such an operation comes from."""


def with_words(path: str, data: bytes, words: Sequence[str], recorded: str) -> bytes:
    """The file with these words leading to it. Where it tells no date, it tells `recorded` now:
    git's own date would be that of this change. Raises StoreError where it cannot hold the words.
    """
    changes: dict[str, object] = {KEY: list(words) or None}
    if recorded and not parse(path, data)[0].recorded:
        changes["modified"] = recorded
    return with_keys(path, data, changes)


def enrich(store: Store, proposals: Sequence[Proposal], by: Provenance) -> Changed:
    """Carry out proposals of the kind `alias` together. One whose memory was changed by now, or
    that a guard refuses, is left out.

    Raises StoreError, having changed nothing, where a gate refuses one of them.
    """

    def plan(catalogue: Catalogue) -> Plan:
        files: dict[str, bytes | None] = {}
        names = []
        for proposal in proposals:
            entry = catalogue.at(proposal.path)
            if entry is None or blob_of(store, entry.path) != proposal.seen:
                continue
            data = proposal.text.encode("utf-8", "surrogatepass")
            old, new = (parse(entry.path, one)[0] for one in (catalogue.content(entry.path), data))
            if all(judgement.passed for judgement in judge(Case(proposal, old, new))):
                files[entry.path] = data
                names.append(entry.name)
        count = "1 memory" if len(names) == 1 else f"{len(names)} memories"
        subject = names[0] if len(names) == 1 else f"words that lead to {count}"
        note = "" if names else "nothing of it fits any more"
        return Plan(Operation.of("alias", subject, names, by), files, note=note)

    return change(store, plan)


def is_text(data: bytes) -> bool:
    """Whether a file is UTF-8 to its last byte, as proposals hold files."""
    text, encoding = decode(data)
    return encoding == "utf-8" and text.encode("utf-8", "surrogatepass") == data
