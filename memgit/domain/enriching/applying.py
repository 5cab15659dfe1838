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
from memgit.domain.proposals.proposal import Proposal
from memgit.domain.store import Store

KEY = "asked_as"


def with_words(path: str, data: bytes, words: Sequence[str], recorded: str) -> bytes:
    """The file with these words leading to it. Where it tells no date, it tells `recorded` now:
    git's own date would be that of this change. Raises StoreError where it cannot hold the words.
    """
    changes: dict[str, object] = {KEY: list(words) or None}
    if recorded and not parse(path, data)[0].recorded:
        changes["modified"] = recorded
    return with_keys(path, data, changes)


def enrich(store: Store, proposals: Sequence[Proposal], by: Provenance) -> Changed:
    """Carry out proposals of the kind `alias` together. One whose memory was changed or holds no
    more by now is left out.

    Raises StoreError, having changed nothing, where a gate refuses one of them.
    """

    def plan(catalogue: Catalogue) -> Plan:
        files: dict[str, bytes | None] = {}
        names = []
        for proposal in proposals:
            entry = catalogue.at(proposal.path)
            holds = entry and not (entry.is_retired or entry.superseded_by)
            if entry and holds and blob_of(store, entry.path) == proposal.seen:
                catalogue.content(entry.path)
                files[entry.path] = proposal.text.encode("utf-8", "surrogatepass")
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
