"""A line of shell as the simple commands in it, read and never run.

The one rule: what cannot be made sense of yields fewer commands, never an error and never a guess.
"""

from collections.abc import Iterator
from dataclasses import dataclass

PIPE = "|"
_ENDS = ("&&", "||", "|&", ";;", ";", "|", "&", "\n")
LONGEST = 20_000
"""Characters of a line that are looked at."""


@dataclass(frozen=True)
class Word:
    """One word of a command; `is_quoted` where a part of it stood in quotes or was substituted."""

    text: str
    is_quoted: bool = False


@dataclass(frozen=True)
class Command:
    """One simple command: its words, its own text, and what joins it to the command before it."""

    words: tuple[Word, ...]
    text: str
    after: str = ""


def commands(line: str) -> Iterator[Command]:
    """The simple commands of a line in their order. Substitutions and heredocs are words of one."""
    reader = _Reader(line[:LONGEST].replace("\\\n", " "))
    after = ""
    while reader.at < len(reader.line):
        start = reader.at
        words = tuple(reader.words())
        text = " ".join(reader.line[start : reader.at].split())
        if words:
            yield Command(words, text, after)
        after = reader.end()


class _Reader:
    """A place in a line, and what is read from there on."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0
        self._heredocs: list[str] = []

    def end(self) -> str:
        """Pass over what ends a command, and over the heredocs that it announced."""
        found = next((one for one in _ENDS if self.line.startswith(one, self.at)), "")
        self.at += len(found) or 1
        if found == "\n":
            self._pass_heredocs()
        return found

    def words(self) -> Iterator[Word]:
        """The words up to the end of the command; comments and redirections are none."""
        while self.at < len(self.line):
            character = self.line[self.at]
            if character in " \t":
                self.at += 1
            elif character == "#":
                self._pass_until("\n")
            elif self._is_redirection():
                self._pass_redirection()
            elif any(self.line.startswith(one, self.at) for one in _ENDS):
                return
            elif character in "(){}<>":
                self.at += 1
            else:
                yield self._word()

    def _word(self) -> Word:
        kept: list[str] = []
        is_quoted = False
        while self.at < len(self.line):
            character = self.line[self.at]
            if character in " \t\n;|&<>()":
                break
            if character in "'\"`":
                is_quoted = True
                kept.append(self._quoted(character))
            elif self.line.startswith("$(", self.at):
                is_quoted = True
                start = self.at
                self.at += 2
                self._pass_substitution()
                kept.append(self.line[start : self.at])
            elif character == "\\":
                kept.append(self.line[self.at + 1 : self.at + 2])
                self.at += 2
            else:
                kept.append(character)
                self.at += 1
        return Word("".join(kept), is_quoted)

    def _quoted(self, mark: str) -> str:
        """What stands between quotes; a substitution within double quotes may hold quotes again."""
        self.at += 1
        start = self.at
        while self.at < len(self.line) and self.line[self.at] != mark:
            if mark != "'" and self.line[self.at] == "\\":
                self.at += 2
            elif mark == '"' and self.line.startswith("$(", self.at):
                self.at += 2
                self._pass_substitution()
            else:
                self.at += 1
        text = self.line[start : self.at]
        self.at += 1
        return text

    def _pass_substitution(self) -> None:
        """Pass over a substitution whose opening was read; the heredocs in it end in it."""
        depth = 1
        while self.at < len(self.line) and depth:
            character = self.line[self.at]
            if character in "'\"`":
                self._quoted(character)
                continue
            if self.line.startswith("<<", self.at):
                self._pass_redirection()
                continue
            self.at += 2 if character == "\\" else 1
            depth += (character == "(") - (character == ")")
            if character == "\n":
                self._pass_heredocs()

    def _is_redirection(self) -> bool:
        rest = self.line[self.at : self.at + 3].lstrip("0123456789")
        if rest.startswith("&>"):
            return True
        return rest[:1] in ("<", ">") and not rest.startswith("<(")

    def _pass_redirection(self) -> None:
        while self.at < len(self.line) and self.line[self.at] in "0123456789":
            self.at += 1
        is_heredoc = self.line.startswith("<<", self.at) and not self.line.startswith(
            "<<<", self.at
        )
        while self.at < len(self.line) and self.line[self.at] in "<>&-|":
            self.at += 1
        while self.at < len(self.line) and self.line[self.at] in " \t":
            self.at += 1
        word = self._word()
        if is_heredoc and word.text:
            self._heredocs.append(word.text)

    def _pass_heredocs(self) -> None:
        for mark in self._heredocs:
            while self.at < len(self.line):
                end = self.line.find("\n", self.at)
                end = len(self.line) if end < 0 else end
                line = self.line[self.at : end]
                self.at = end + 1
                if line.strip() == mark:
                    self.at -= 1
                    break
        self._heredocs.clear()

    def _pass_until(self, mark: str) -> None:
        found = self.line.find(mark, self.at)
        self.at = len(self.line) if found < 0 else found
