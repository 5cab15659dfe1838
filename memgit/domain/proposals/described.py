"""Proposals described for whoever may merge them: what would change, why, and how to take it back.

The one rule: what memories and passes say is shown as text and nothing else; no mark, mention or
link in it does anything where it is read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from memgit.domain.operation import one_line
from memgit.domain.proposals.proposal import Proposal

SHORT = 12

LONGEST = 60
"""Lines of one change that are shown."""


@dataclass(frozen=True)
class Change:
    """One proposal as a commit: (path, text before, text after) of each file, "" for none; `stands`
    is the text of the memory that takes the other's place, where it is not among them.
    """

    proposal: Proposal
    commit: str
    files: Sequence[tuple[str, str, str]]
    stands: str = ""


def title(changes: Sequence[Change]) -> str:
    """The subject of the request."""
    if len(changes) == 1:
        return f"memory: {_subject(changes[0].proposal)}"[:120]
    return f"memory: {len(changes)} proposals"


def body(changes: Sequence[Change], skipped: Sequence[tuple[Proposal, str]] = ()) -> str:
    """The whole description, as markdown."""
    count = "one proposal" if len(changes) == 1 else f"{len(changes)} proposals"
    parts = [
        f"This branch holds {count} of memgit, a commit each. Merging is accepting. To leave one "
        "out, drop its commit from the branch before merging; what is closed without merging is "
        "remembered as turned down.",
        *("\n".join(_section(number, change)) for number, change in enumerate(changes, 1)),
        _undoing(changes),
    ]
    if skipped:
        rows = [f"- {_code(_subject(one))}: {_plain(why)}" for one, why in skipped]
        parts.append("\n".join(["## Left out", "", *rows]))
    return "\n\n".join(parts) + "\n"


def _section(number: int, change: Change) -> Iterator[str]:
    proposal = change.proposal
    yield f"## {number}. {_code(_subject(proposal))}"
    yield ""
    sure = f"{proposal.confidence:.0%} sure"
    yield f"Proposal {_code(proposal.id)} by {_code(proposal.actor)}, {sure}."
    if proposal.because:
        yield ""
        yield f"**Because:** {_plain(proposal.because)}"
    for path, before, after in change.files:
        yield ""
        yield from _fenced(f"{path}", before, after)
    if change.stands:
        yield ""
        yield f"**In its place stands {_code(proposal.to)}:**"
        yield ""
        yield from _block("markdown", "\n".join(change.stands.split("\n")[:LONGEST]))
    if proposal.evidence:
        yield ""
        yield "**It rests on:**"
        for one in proposal.evidence:
            place = " ".join(filter(None, (one.role, one.session, one.turn)))
            yield ""
            yield from _block("text", f"{place}:\n{one.quote}")
    yield ""
    passed = ", ".join(one.guard for one in proposal.judgements if one.passed)
    yield f"**Guards passed:** {passed or 'none'}"
    for refusal in proposal.refusals:
        yield ""
        yield f"**Refused by {refusal.guard}:** {_plain(refusal.why)}"


def _undoing(changes: Sequence[Change]) -> str:
    rows = [f"- {_code(_subject(one.proposal))}: `memgit undo {one.commit[:SHORT]}`"
            for one in changes]  # fmt: skip
    return "\n".join([
        "## To take one back after the merge",
        "",
        *rows,
        "",
        "Where the branch was squashed or rebased, `memgit log` tells the commit to undo; plain "
        "`git revert` does the same.",
    ])  # fmt: skip


def _fenced(path: str, before: str, after: str) -> Iterator[str]:
    lines = list(unified_diff(before.split("\n"), after.split("\n"),
                              path if before else "/dev/null", path, lineterm=""))  # fmt: skip
    if len(lines) > LONGEST:
        lines = [*lines[:LONGEST], f"… {len(lines) - LONGEST} more lines"]
    yield from _block("diff", "\n".join(lines))


def _block(kind: str, text: str) -> Iterator[str]:
    """A block of code that nothing in it can end."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}{kind}"
    yield text
    yield fence


def _code(text: str) -> str:
    return f"`{one_line(text).replace('`', chr(39))}`"


def _plain(text: str) -> str:
    """Words of a pass as one line in which nothing is a mark, a mention or a link."""
    return _code(text)


def _subject(proposal: Proposal) -> str:
    return f"{proposal.kind} {proposal.told}"
