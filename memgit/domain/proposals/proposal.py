"""A proposal: one change that a pass suggests, with what it rests on. It changes nothing itself.

The one rule: a proposal is told apart by what it would do and by the words it rests on, not by how
a model happened to put it; so that one which was turned down is known when it comes again.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memgit.domain.memory import key_of

KINDS = ("add", "confirm", "supersede", "edit", "alias", "retire", "label", "demote")
"""What a proposal can ask for, each an operation: `confirm` adds a source to a memory that says so
already, `alias` adds aliases, `edit` puts another text in place, `demote` a skill out of use."""

RECORD = "record"
"""Role of what the record of a promotion says; its path in the store is then in `session`."""

_LENGTH = 12


@dataclass(frozen=True)
class Evidence:
    """Words that a proposal rests on, and where they stand.

    `role` is who said them: `user`, `assistant`, `tool`, or `memory` for words of a memory, whose
    name is then in `session`, or `record`. `turn` is the id of the turn, or `L3` for a line.
    `digest` is the SHA-256 of the whole turn or file, in hex, so that one can tell whether it still
    says so.
    """

    quote: str
    role: str = "user"
    session: str = ""
    turn: str = ""
    digest: str = ""

    def as_source(self) -> dict[str, str]:
        """One item of a memory's `sources`."""
        said = {"quote": self.quote, "role": self.role, "session": self.session,
                "turn": self.turn, "sha256": self.digest}  # fmt: skip
        return {key: value for key, value in said.items() if value}


@dataclass(frozen=True)
class Judgement:
    """What one guard said: `why` is a sentence where it refused, and may be one where it passed."""

    guard: str
    passed: bool
    why: str = ""


@dataclass(frozen=True)
class Proposal:
    """One change, asked for by a pass.

    `memories` are names, the one that changes first. `to` is what it leads to: the memory that is
    to stand, the label, for `alias` the words that are new; for `add` a number where others rest
    on the same words. `text` is a whole file as it would be:
    that of the memory (`add`, `edit`, `alias`, `confirm`), or for `supersede` that of the successor
    where there is none yet; `path` is where. `seen` is the git blob id, in the work tree, of the
    memory that changes when the pass read it, "" where there was none: what changed meanwhile
    makes it stale, and so does a memory of the evidence whose `digest` is another by now.
    `confidence` is the model's own, from 0 to 1, and 1 for a rule. `judgements` are the guards', in
    the order of their table.
    """

    kind: str
    actor: str
    memories: Sequence[str]
    to: str = ""
    path: str = ""
    text: str = ""
    seen: str = ""
    because: str = ""
    confidence: float = 1.0
    evidence: Sequence[Evidence] = ()
    judgements: Sequence[Judgement] = ()
    made: str = ""
    """ISO time at which a pass made it."""

    @property
    def id(self) -> str:
        """Twelve hex digits, the same for the same change on the same words."""
        words = [self.kind, self.to and key_of(self.to)]
        quotes = sorted({_plain(item.quote) for item in self.evidence})
        if self.kind == "add" and quotes:  # a model gives another name and other words each time
            words += quotes
        elif self.kind == "supersede" and self.text:  # and so it names the successor
            words = [self.kind, key_of(self.name), *(quotes or [key_of(self.to)])]
        else:
            words += [key_of(name) for name in self.memories]
        if self.kind in ("confirm", "demote"):  # once for each place, or promotion, that says so
            words += quotes
        if self.kind == "edit":
            words.append(self.text)
        return hashlib.sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:_LENGTH]

    @property
    def name(self) -> str:
        """The memory that changes."""
        return self.memories[0]

    @property
    def told(self) -> str:
        """What it is about, in the words of an operation's subject."""
        joined = {"supersede": " by ", "label": " ", "alias": ": "}.get(self.kind, "")
        return f"{self.name}{joined}{self.to}" if joined and self.to else self.name

    @property
    def refusals(self) -> tuple[Judgement, ...]:
        """The guards that did not pass it."""
        return tuple(judgement for judgement in self.judgements if not judgement.passed)

    def judged(self, judgements: Sequence[Judgement]) -> "Proposal":
        """The same proposal with what the guards say of it."""
        return replace(self, judgements=tuple(judgements))

    def as_json(self) -> dict[str, Any]:
        """Everything of it as JSON holds it; `of_json` reads it back."""
        return {
            "id": self.id, "kind": self.kind, "actor": self.actor, "memories": list(self.memories),
            "to": self.to, "path": self.path, "text": self.text, "seen": self.seen,
            "because": self.because, "confidence": self.confidence, "made": self.made,
            "evidence": [vars(item) for item in self.evidence],
            "judgements": [vars(item) for item in self.judgements],
        }  # fmt: skip

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "Proposal":
        """A proposal that was written down. Raises ValueError for what is not one."""
        try:
            if data["kind"] not in KINDS or not data["memories"]:
                raise ValueError("not a proposal")
            return cls(
                kind=data["kind"], actor=str(data["actor"]),
                memories=tuple(map(str, data["memories"])),
                confidence=float(data["confidence"]),
                evidence=tuple(Evidence(**item) for item in data["evidence"]),
                judgements=tuple(Judgement(**item) for item in data["judgements"]),
                **{key: str(data[key]) for key in
                   ("to", "path", "text", "seen", "because", "made")},
            )  # fmt: skip
        except (KeyError, TypeError) as fault:
            raise ValueError(f"not a proposal: {fault}") from None


def _plain(quote: str) -> str:
    return " ".join(key_of(quote).split())
