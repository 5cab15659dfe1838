"""A memory: one markdown file with frontmatter, read from bytes and written to bytes.

The one rule: the body belongs to the person. It is never changed by reading and writing, and a
file that cannot be understood is still a memory, with its whole text as body and a fault beside it.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from memgit.errors import Fault
from memgit.ports.markdown import BrokenFrontmatter, dump_frontmatter, load_frontmatter

TYPES = ("user", "feedback", "project", "reference")
STANDING = ("user", "feedback")
"""Types whose memories are rules: they never decay, and recency alone never replaces them."""

NOT_MEMORIES = ("MEMORY.md", "PROFILE.md")
"""Files at the top of a store that are made from the memories, or stand beside them."""

_FENCE = "---"

_JAPANESE = ("cp932", "euc_jp")


@dataclass(frozen=True)
class Memory:
    """One memory. `path` is relative to the store, with `/`; `body` is the text below the fences.

    `metadata` holds every key but `name` and `description`, also those we do not know, in order.
    """

    path: str
    name: str
    description: str = ""
    type: str = "project"
    body: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

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
        return str(value) if value else None

    @property
    def labels(self) -> tuple[str, ...]:
        """What a reader must be told: `superseded by NAME`, `unverified: WHY`."""
        found = []
        if self.superseded_by:
            found.append(f"superseded by {self.superseded_by}")
        unverified = self.metadata.get("unverified")
        if isinstance(unverified, str) and unverified.strip():
            found.append(f"unverified: {unverified.strip()}")
        elif unverified:
            found.append("unverified")
        return tuple(found)

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
    parts = PurePosixPath(path).parts
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
    """A kebab-case name from any text; letters of every script stay."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in normal)
    return unicodedata.normalize("NFC", "-".join(kept.split()))[:longest].strip("-")


def decode(data: bytes) -> tuple[str, str]:
    """(text, encoding) of a file: UTF-8, UTF-16 with its mark, else what its bytes look like.

    That is Japanese where it gives kana, else Windows-1252 or Latin-1.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), "utf-16"
        except UnicodeDecodeError:
            return data.decode("latin-1"), "latin-1"
    for encoding in ("utf-8-sig", *_JAPANESE, "cp1252"):
        try:
            text = data.decode(encoding)
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
    for line in rest.splitlines(keepends=True):
        number += 1
        at += len(line)
        if line.rstrip() in (_FENCE, "..."):
            return rest[: at - len(line)], rest[at:], number + 1
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
        try:
            keys = load_frontmatter(head)
        except BrokenFrontmatter as fault:
            body = text
            faults.append(
                Fault(path, fault.line + 1, "frontmatter", f"{fault}; mend the YAML between ---")
            )
    nested = keys.pop("metadata", None)
    metadata = {**keys, **(nested if isinstance(nested, dict) else {})}
    if nested is not None and not isinstance(nested, dict):
        metadata["metadata"] = nested
    name = _one_line(metadata.pop("name", "")) or PurePosixPath(path).stem
    description = _one_line(metadata.pop("description", ""))
    kind = _one_line(metadata.pop("type", ""))
    if metadata.get("node_type") == "memory":
        del metadata["node_type"]
    memory = Memory(
        path=path,
        name=name,
        description=description,
        type=kind or "project",
        body=body,
        metadata=metadata,
    )
    return memory, faults


def render(memory: Memory) -> bytes:
    """The file of a memory in Claude Code's own shape, the body exactly as it is."""
    ordered = {"node_type": "memory", "type": memory.type, **memory.metadata}
    for last in ("originSessionId", "modified"):
        if last in ordered:
            ordered[last] = ordered.pop(last)
    head = dump_frontmatter(
        {"name": memory.name, "description": memory.description, "metadata": ordered}
    )
    return f"{_FENCE}\n{head}{_FENCE}\n{memory.body}".encode("utf-8", "surrogatepass")


def _one_line(value: Any) -> str:
    return " ".join(str(value).split()) if value is not None else ""
