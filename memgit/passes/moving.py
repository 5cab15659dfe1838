"""Edits that follow from what was moved: a memory's words with the new path in the old one's place.

The one rule: a path is replaced where the memory says it, as it says it: bare where it was bare, by
a link where it was a link; and nothing else of the line changes.
"""

import posixpath
import re
from collections.abc import Sequence
from datetime import datetime

from memgit.domain.claims.extraction.paths import paths
from memgit.domain.claims.extraction.reading import lines as spoken
from memgit.domain.claims.journal import moment
from memgit.domain.claims.reasons import Reason, subject_of
from memgit.domain.claims.verdict import Verdict
from memgit.domain.memory import decode, parse
from memgit.domain.operations.cascading import KEY, value_of
from memgit.domain.operations.rewriting import encoded, with_keys
from memgit.domain.operations.verifying import ACTOR
from memgit.domain.proposals.carrying_out import blob_of
from memgit.domain.proposals.proposal import Evidence, Proposal
from memgit.domain.store import Store
from memgit.passes.verify import Judged


def moved(judged: Sequence[Judged]) -> list[Judged]:
    """The refuted paths among these that are somewhere else now."""
    return [one for one in judged
            if one.claim.probe == "path_exists" and one.standing.verdict == Verdict.REFUTED
            and one.standing.moved_to]  # fmt: skip


def proposal(store: Store, data: bytes, moves: Sequence[Judged], now: datetime) -> Proposal | None:
    """The edit of one memory, whose file is `data` now; None where its words are not there."""
    memory = moves[0].reading.memory
    text, encoding = decode(data)
    lines = text.split("\n")
    done: list[Judged] = []
    for move in moves:
        found = _replacements(lines, move)
        for at, new in found.items():
            lines[at] = new
        if found:
            done.append(move)
    if not done:
        return None
    after = encoded(memory.path, "\n".join(lines), data, encoding)
    after = with_keys(memory.path, after, {KEY: value_of(_left(memory.path, after, done))})
    return Proposal(
        "edit", ACTOR, (memory.name,), path=memory.path, text=decode(after)[0],
        seen=blob_of(store, memory.path), made=moment(now),
        because="; ".join(f"{one.claim.subject} is {one.standing.moved_to} now" for one in done),
        evidence=[Evidence(one.claim.quote, "memory", memory.name, f"L{one.claim.line}")
                  for one in done],
    )  # fmt: skip


def _replacements(lines: Sequence[str], move: Judged) -> dict[int, str]:
    """Index of a line → what it would be, for each that claims the path, in whatever form."""
    path = str(move.claim.arguments["path"])
    found: dict[int, str] = {}
    for line in spoken("\n".join(lines)):
        at = line.number - 1
        for one in paths(line, lambda word: word == path):
            new = _replaced(found.get(at, lines[at]), one.text, move)
            if one.path == path and new is not None:
                found[at] = new
    return found


def _left(path: str, data: bytes, done: Sequence[Judged]) -> list[str]:
    """The reasons of the label that the edit does not do away with."""
    text = decode(data)[0]
    left = {one.path for line in spoken(text) for one in paths(line, lambda word: False)}
    mended = {subject_of(one.claim.subject) for one in done
              if one.claim.arguments["path"] not in left}  # fmt: skip
    told = parse(path, data)[0].reasons(KEY)
    return [text for text in told
            if (ours := Reason.parse(text)) is None or ours.subject not in mended]  # fmt: skip


def _replaced(line: str, old: str, move: Judged) -> str | None:
    """The line with the new path; None where the old one, as it is written, does not stand there
    once.
    """
    to = move.standing.moved_to
    path = str(move.claim.arguments["path"])
    suffix = old[len(path.removeprefix("./")) :] if old.startswith(path.removeprefix("./")) else ""
    new = to + suffix
    if path.startswith("./"):  # a link is meant from the memory's folder
        home = next((root.home for root in move.reading.scene.roots if not root.is_store), "")
        start = posixpath.join(home, move.reading.scene.folder)
        new = posixpath.relpath(to, start or ".") + suffix
    elif "/" not in path:
        new = to.rpartition("/")[2] + suffix
    if new == old:
        return None
    place = re.compile(rf"(?<![\w./-]){re.escape(old)}(?![\w-])")
    spots = len(place.findall(line))
    if not spots or (spots > 1 and not path.startswith("./")):
        return None
    if path.startswith("./"):
        return re.sub(rf"(?<=\]\(){re.escape(old)}(?=[)#\s])", lambda _: new, line)
    return place.sub(lambda _: new, line)
