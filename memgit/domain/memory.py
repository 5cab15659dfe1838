"""A memory: one markdown file with frontmatter, read from bytes and written to bytes.

The one rule: the body belongs to the person. It is never changed by reading and writing, and a
file that cannot be understood is still a memory, with its whole text as body and a fault beside it.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from memgit.errors import Fault
from memgit.ports.frontmatter import (
    BrokenFrontmatter,
    dump_frontmatter,
    load_frontmatter,
    with_quotes,
)

TYPES = ("user", "feedback", "project", "reference")
DEFAULT = "project"
STANDING = ("user", "feedback")
"""Types whose memories are rules: they never decay, and recency alone never replaces them."""

NOT_MEMORIES = ("MEMORY.md", "PROFILE.md")
"""Files at the top of a store that are made from the memories, or stand beside them."""

LONGEST_NAME = 180
"""Bytes of a name that we make: a file name holds 255, with what is added to it for a while."""

LARGEST = 1_000_000
"""Characters of a body that are indexed; what lies beyond is in the file, and `check` says so."""

_FENCE = "---"

_JAPANESE = ("cp932", "euc_jp")

_MARKED = (
    ("utf-32", b"\xff\xfe\0\0"),
    ("utf-16", b"\xff\xfe"),
    ("utf-16", b"\xfe\xff"),
)

_UNCLOSED = re.compile(r"---[ \t]*\r?\n[\w-]+:")

_YES = ("true", "yes", "y", "on", "1")
_NO = ("", "false", "no", "n", "off", "0")


@dataclass(frozen=True)
class Memory:
    """One memory. `path` is relative to the store, with `/`; `body` is the text below the fences.

    `metadata` holds every key but `name` and `description`, also those we do not know, in order;
    where it has a `type`, the field `type` is what counts.
    """

    path: str
    name: str
    description: str = ""
    type: str = DEFAULT
    body: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Name and description as the file has them, where that is not one line with single spaces."""

    def words(self, key: str) -> tuple[str, ...]:
        """A list-like metadata value (`topics`, `aliases`, ...) as strings; () when absent."""
        value = self.metadata.get(key)
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list | tuple):
            return tuple(str(item) for item in value if item is not None)
        return ()

    @property
    def superseded_by(self) -> str | None:
        """The name of the memory that replaced this one."""
        value = self.metadata.get("superseded_by")
        while isinstance(value, list) and value:  # YAML takes a bare [[name]] for lists
            value = value[0]
        return str(value).strip("[] ") if value else None

    @property
    def labels(self) -> tuple[str, ...]:
        """What a reader must be told: `superseded by NAME`, `retired: WHY`, `refuted: WHY`,
        `unverified: WHY`, this as often as there are reasons, `unmerged: branch NAME of PROJECT`.
        """
        found = [f"superseded by {self.superseded_by}"] if self.superseded_by else []
        for key in ("retired", "refuted", "unverified"):
            found += [f"{key}: {why}" if why else key for why in self.reasons(key)]
        if self.branch:
            found.append(f"unmerged: {self.branch}")
        return tuple(found)

    @property
    def branch(self) -> str:
        """The branch that it holds on, until that is merged: `branch NAME of PROJECT`, or ""."""
        scope = self.metadata.get("scope")
        if not isinstance(scope, Mapping) or not (name := _one_line(scope.get("branch"))):
            return ""
        project = _one_line(scope.get("project")).rpartition("/")[2]
        return f"branch {name} of {project}" if project else f"branch {name}"

    def reasons(self, key: str) -> tuple[str, ...]:
        """Why a label (`unverified`, ...) stands; "" for one without a reason, () for none."""
        value = self.metadata.get(key)
        told = map(_one_line, value if isinstance(value, list | tuple) else (value,))
        standing = (why for why in told if why.casefold() not in _NO)
        return tuple("" if why.casefold() in _YES else why for why in standing)

    @property
    def is_retired(self) -> bool:
        """Whether it is kept but never recalled, and no pass may bring it back."""
        return bool(self.reasons("retired"))

    @property
    def recorded(self) -> str:
        """ISO date or time of the last change as the file tells it, or "" if it does not."""
        for key in ("modified", "updated", "created", "date"):
            value = str(self.metadata.get(key) or "")
            if len(value) >= 10 and value[:4].isdigit() and value[4] == value[7] == "-":
                return value
        return ""

    def with_metadata(self, **changes: Any) -> "Memory":
        """The same memory with these keys set, or taken away where the value is None."""
        merged = {**self.metadata, **changes}
        return replace(self, metadata={k: v for k, v in merged.items() if v is not None})


def is_memory_path(path: str) -> bool:
    """Whether a file of a store is a memory: markdown, not hidden, not generated, not a draft."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return (
        path.lower().endswith((".md", ".mdc", ".mdx", ".markdown"))
        and path not in NOT_MEMORIES
        and parts[0] != "drafts"
        and not any(part.startswith(".") for part in parts)
    )


def key_of(name: str) -> str:
    """What makes two names the same: case and Unicode normal form do not tell them apart."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def slug(text: str, longest: int = 60) -> str:
    """A kebab-case name from any text; letters of every script stay.

    At most `longest` characters, cut between words where the last is not most of it.
    """
    name = kebab(text)
    short = name[:longest].encode()[:LONGEST_NAME].decode("utf-8", "ignore")
    if name[len(short) : len(short) + 1] not in ("", "-"):
        whole = short.rpartition("-")[0]
        short = whole if len(whole) > len(short) // 2 else short
    return short.strip("-")


def kebab(text: str) -> str:
    """What a name from a text would be, had it no limit."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in normal)
    return unicodedata.normalize("NFC", "-".join(kept.split()))


def decode(data: bytes) -> tuple[str, str]:
    """(text, encoding) of a file: UTF-8, UTF-16 with its mark, else what its bytes look like.

    That is Japanese where it gives kana, else Windows-1252 or Latin-1. Never fails.
    """
    for encoding, mark in _MARKED:
        if data.startswith(mark):
            try:
                return data.decode(encoding, "surrogatepass"), encoding
            except UnicodeDecodeError:
                break
    for encoding in ("utf-8-sig", *_JAPANESE, "cp1252"):
        try:
            # Half a character in UTF-8 is a fault, but no reason to read the rest as Windows-1252.
            text = data.decode(encoding, "surrogatepass")
        except UnicodeDecodeError:
            continue
        if encoding not in _JAPANESE or _is_japanese(text):
            return text, "utf-8" if encoding == "utf-8-sig" else encoding
    return data.decode("latin-1"), "latin-1"


def _is_japanese(text: str) -> bool:
    """Whether a text of another encoding, read as Japanese, has the kana that Japanese has."""
    foreign = [c for c in text if c > "\x7f"]
    kana = sum("ぁ" <= c <= "ヿ" for c in foreign)
    return kana >= 2 and kana * 5 >= len(foreign)


def split(text: str) -> tuple[str | None, str, int]:
    """(frontmatter, body, line on which the body starts); None where there are no fences."""
    first, newline, rest = text.partition("\n")
    if first.rstrip() != _FENCE or not newline:
        return None, text, 1
    at = 0
    number = 1
    for line in rest.split("\n"):
        number += 1
        if line.rstrip() in (_FENCE, "..."):
            return rest[:at], rest[at + len(line) + 1 :], number + 1
        at += len(line) + 1
    return None, text, 1


def parse(path: str, data: bytes) -> tuple[Memory, list[Fault]]:
    """Read a memory from a file's bytes. Always gives a memory; what is wrong stands beside it."""
    text, encoding = decode(data)
    faults = []
    if encoding != "utf-8":
        faults.append(Fault(path, 1, "encoding", f"is {encoding}, not UTF-8; save it as UTF-8"))
    head, body, _ = split(text)
    keys: dict[str, Any] = {}
    if head is not None:
        keys, fault = _keys(path, head)
        if fault:
            faults.append(fault)
            body = body if keys else text
    elif _UNCLOSED.match(text):
        faults.append(
            Fault(path, 1, "frontmatter", "no --- line closes it; add one below the keys")
        )
    name, description = keys.pop("name", None), keys.pop("description", None)
    nested = keys.pop("metadata", None) or {}
    metadata = {**keys, **(nested if isinstance(nested, dict) else {"metadata": nested})}
    faults += _twice(path, keys, metadata)
    if not _one_line(name):
        name = metadata.pop("name", None)
    if not _one_line(description):
        description = metadata.pop("description", None)
    memory = Memory(
        path=path,
        name=_one_line(name) or PurePosixPath(path).stem,
        description=_one_line(description),
        type=_one_line(metadata.get("type")) or DEFAULT,
        body=body,
        metadata=metadata,
        written={
            key: value
            for key, value in (("name", name), ("description", description))
            if isinstance(value, str) and value != _one_line(value)
        },
    )
    return memory, faults


def _keys(path: str, head: str) -> tuple[dict[str, Any], Fault | None]:
    """The keys of a frontmatter, and what is wrong with it; no keys where it cannot be read."""
    try:
        return load_frontmatter(head), None
    except BrokenFrontmatter as broken:
        fault = Fault(path, broken.line + 1, "frontmatter", f"{broken}; mend the YAML between ---")
    # As Claude Code does: `description: Fix: use X` is what models write. Keys that nobody can read
    # it drops when it writes: https://github.com/anthropics/claude-code/issues/76868
    try:
        return load_frontmatter(with_quotes(head)), fault
    except BrokenFrontmatter:
        return {}, fault


def _twice(path: str, top: Mapping[str, Any], all_: Mapping[str, Any]) -> list[Fault]:
    """Keys that stand at the top and, with another value, below `metadata`."""
    return [
        Fault(path, 1, "frontmatter", f"`{key}` stands twice; the one below `metadata` counts")
        for key in top
        if all_[key] != top[key]
    ]


def render(memory: Memory) -> bytes:
    """The file of a memory in Claude Code's own shape, the body exactly as it is."""
    metadata = dict(memory.metadata)
    ordered: dict[str, Any] = {}
    if "node_type" not in metadata:
        ordered["node_type"] = "memory"
    if "type" not in metadata and (memory.type != DEFAULT or ordered):
        ordered["type"] = memory.type
    ordered.update(metadata)
    if "type" in metadata:
        ordered["type"] = memory.type
    for last in ("originSessionId", "modified"):
        if last in ordered:
            ordered[last] = ordered.pop(last)
    head = {"name": memory.name, "description": memory.description, "metadata": ordered}
    head.update({key: raw for key, raw in memory.written.items() if _one_line(raw) == head[key]})
    if not memory.description:
        del head["description"]
    text = f"{_FENCE}\n{dump_frontmatter(head)}{_FENCE}\n{memory.body}"
    return text.encode("utf-8", "surrogatepass")


def _one_line(value: Any) -> str:
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return " ".join(text.split())
