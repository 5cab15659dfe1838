"""A claim: a probe's name, its arguments, and the words of the memory that it rests on.

The one rule: a claim without its words is none. What a memory does not say any more is not checked,
and what stands below `claims` in its frontmatter is checked like the words of a stranger.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memgit.domain.claims.arguments import NUMBERS, Arguments
from memgit.domain.claims.table import PROBES
from memgit.domain.claims.validation import Refusal, accepted
from memgit.domain.memory import Memory
from memgit.domain.operation import one_line

KEY = "claims"
"""The key of a memory below which claims stand."""

MOST = 400
"""Claims of one memory that are looked at."""


@dataclass(frozen=True)
class Claim:
    """`mention` is the thing as the memory names it, `quote` its line; `line` counts in a file."""

    probe: str
    arguments: Arguments
    mention: str
    line: int = 0
    quote: str = field(default="", compare=False)

    @property
    def subject(self) -> str:
        """What a person is told it is about."""
        if self.probe == "path_exists":
            return f"`{self.mention.replace('`', '')}`"
        return mention_of(self.probe, self.arguments)

    @property
    def key(self) -> str:
        """What makes two claims the same, whatever memory makes them."""
        told = json.dumps([self.probe, dict(self.arguments)], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def value_of(claims: Iterable[Claim]) -> list[dict[str, Any]] | None:
    """Claims as the value of a memory's key; None for none."""
    return [
        {"probe": one.probe, "args": dict(one.arguments), "words": one.quote or one.mention}
        for one in claims
    ] or None


def told_by(memory: Memory, text: str) -> tuple[list[Claim], list[Refusal]]:
    """The claims below a memory's key that may be asked and whose words it says; and the rest.

    `text` is the memory's file, by which a claim gets its line.
    """
    given = memory.metadata.get(KEY)
    return checked(given if isinstance(given, list | tuple) else (), text)


def checked(rows: Sequence[object], text: str) -> tuple[list[Claim], list[Refusal]]:
    """The claims among (probe, args, words) that somebody filled in, a model or a person; and why
    the others are none. Nothing of them has run.

    `text` is what they are about: words that do not stand in it are no ground for a claim.
    """
    claims: list[Claim] = []
    refused: list[Refusal] = []
    for row in rows[:MOST]:
        if not isinstance(row, Mapping):
            refused.append(Refusal("", "is not `probe`, `args` and `words`", 0))
            continue
        quote = one_line(str(row.get("words") or ""))
        line = line_of(quote, text)
        found = accepted(str(row.get("probe")), row.get("args"), quote, line)
        if isinstance(found, Refusal):
            refused.append(found)
        elif not line:
            refused.append(Refusal(quote, "the memory does not say this", 0))
        else:
            mention = str(found.arguments.get("path") or mention_of(found.probe, found.arguments))
            claims.append(Claim(found.probe, found.arguments, mention, line, quote))
    return claims, refused


def claims_schema() -> dict[str, Any]:
    """The JSON schema of a list of claims, for a model that fills in the arguments of known probes.

    It names no command, no option and no host: those are the probes' own.
    """
    return {"type": "array", "maxItems": MOST, "items": {"anyOf": [
        _schema_of(name, probe.takes) for name, probe in PROBES.items()
    ]}}  # fmt: skip


def _schema_of(name: str, takes: Mapping[str, str]) -> dict[str, Any]:
    arguments = {
        argument: {"type": "integer" if kind.rstrip("?") in NUMBERS else "string"}
        for argument, kind in takes.items()
    }
    needed = [argument for argument, kind in takes.items() if not kind.endswith("?")]
    return {
        "type": "object",
        "properties": {
            "probe": {"const": name},
            "args": {"type": "object", "properties": arguments, "required": needed,
                     "additionalProperties": False},
            "words": {"type": "string", "description": "the words of the memory, as they stand"},
        },
        "required": ["probe", "args", "words"],
        "additionalProperties": False,
    }  # fmt: skip


def mention_of(probe: str, arguments: Arguments) -> str:
    """A claim's subject in words, made of its arguments."""
    told = PROBES[probe].says.format_map(_Blank(arguments)).strip()
    return f"{told[:-2]}`" if told.endswith(" `") else told


def line_of(quote: str, text: str) -> int:
    """The line of the body that holds these words (spaces and line ends aside); 0 for none."""
    if not quote:
        return 0
    lines = text.splitlines()
    start = _body(lines)
    for number in range(start, len(lines)):
        if quote in one_line(lines[number]):
            return number + 1
    for number in range(start, len(lines)):
        near = one_line(" ".join(lines[number : number + 4]))
        if 0 <= near.find(quote) < len(one_line(lines[number])):
            return number + 1
    head = [number for number, line in enumerate(lines[:start]) if line.startswith("description:")]
    return head[0] + 1 if head and quote in one_line(lines[head[0]]) else 0


def _body(lines: list[str]) -> int:
    """How many lines a frontmatter takes."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    ends = (number for number, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "..."))
    return next(ends, -1) + 1


class _Blank(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return ""
