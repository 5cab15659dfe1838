"""A string that must go: where a text holds it, and the text without it.

The one rule: the line that holds it goes as a whole; only in frontmatter, where a line less would
break the rest, the string alone.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from memgit.domain.memory import decode, parse, split
from memgit.domain.operations.rewriting import encoded
from memgit.errors import StoreError, UsageError

MARK = "[purged]"
SHORTEST = 4
"""Characters of a string that may be purged: a shorter one stands in too many innocent places."""

_BEFORE_VALUE = re.compile(r"\s*(?:- )?(?:[\w.-]+:(?:\s+|$))?")


@dataclass(frozen=True)
class Secret:
    """The string, found exactly or in another Unicode form of the same letters (NFKC)."""

    text: str

    def __post_init__(self) -> None:
        if len(self.text.strip()) < SHORTEST:
            raise UsageError(
                f"at least {SHORTEST} characters are needed", "a shorter string stands in too much"
            )

    def is_in(self, text: str) -> bool:
        """Whether a text holds it."""
        if self.text in text or ("\n" in self.text and self.text in text.replace("\r\n", "\n")):
            return True
        return not (text.isascii() and self._form == self.text) and self._form in _nfkc(text)

    def is_in_bytes(self, data: bytes) -> bool:
        """Whether a file holds it, in whatever encoding it is."""
        if any(form in data for form in self._forms):
            return True
        plain = data.isascii() and self._form == self.text and "\n" not in self.text
        return not plain and self.is_in(decode(data)[0])

    def is_in_index(self, data: bytes) -> bool:
        """Whether a file of an index holds it, where words may be in lower case."""
        return self._form.casefold().encode() in data.lower() or self.is_in_bytes(data)

    def taken_out(self, data: bytes) -> bytes:
        """The file without it."""
        if not self.is_in_bytes(data):
            return data
        text, encoding = decode(data)
        try:
            whole = b"\0" not in data or encoding.startswith("utf-")
            if whole and encoded("", text, data, encoding) == data:
                return encoded("", self._out_of_file(text), data, encoding)
        except StoreError:  # an encoding without a letter of ours
            pass
        for form in self._forms:
            data = data.replace(form, MARK.encode())
        return data

    def out_of(self, text: str) -> str:
        """A text with each line that holds it replaced by the mark."""
        for found in (self.text, self.text.replace("\n", "\r\n")):
            if "\n" in found:
                text = re.sub(rf"[^\r\n]*{re.escape(found)}[^\r\n]*", MARK, text)
        lines = [self._line(line) if self.is_in(line) else line for line in text.split("\n")]
        return "\n".join(lines)

    @staticmethod
    def _line(line: str) -> str:
        return f"{MARK}\r" if line.endswith("\r") else MARK

    def _out_of_file(self, text: str) -> str:
        head, body, _ = split(text)
        if head is None or not self.is_in(head):
            at = len(text) - len(body)
            return text[:at] + self.out_of(body)
        fence = text[: text.index("\n") + 1]
        closing = text[len(fence) + len(head) : len(text) - len(body)]
        stood = len(parse("a.md", text.encode("utf-8", "surrogatepass"))[1])
        for kept in (self._without(head), self._without(head, whole_lines=True), self.out_of(head)):
            whole = f"{fence}{kept}{closing}{self.out_of(body)}"
            faults = parse("a.md", whole.encode("utf-8", "surrogatepass"))[1]
            if len(faults) <= stood and not self.is_in(kept):
                break
        return whole

    def _without(self, head: str, whole_lines: bool = False) -> str:
        lines = []
        for line in head.split("\n"):
            if not self.is_in(line):
                lines.append(line)
            elif not whole_lines:
                bare = line.replace(self.text, MARK)
                start = _BEFORE_VALUE.match(line)
                value = bare[start.end() :] if start else ""
                if self.is_in(bare) or value.startswith(MARK):
                    bare = f'{start[0] if start else ""}"{MARK}"'
                lines.append(bare)
        return "\n".join(lines)

    @cached_property
    def _form(self) -> str:
        return _nfkc(self.text)

    @cached_property
    def _forms(self) -> list[bytes]:
        found = [self.text.encode("utf-8", "surrogatepass"), self._form.encode("utf-8", "replace")]
        return list(dict.fromkeys([*found, self.text.encode("utf-16-le", "surrogatepass")]))


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
