"""The console blocks of a page, and the commands in them.

The one rule: a block is run unless a comment above it says in words why it cannot be.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])

_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<why>[^\n]+) -->\n)?"
    r"^```(?P<kind>sh|console)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Command:
    """A command as it is typed, and what the page shows of its output; None where it shows none."""

    line: int
    typed: str
    shown: str | None = None

    @property
    def status(self) -> int:
        """The exit code that the page tells in a comment behind it; else 0."""
        told = re.search(r"#.*?(?:exit code|終了コード) (\d+)", self.typed)
        return int(told.group(1)) if told else 0


@dataclass(frozen=True)
class Block:
    """A block of commands; `why` it is not run, or ""."""

    line: int
    kind: str
    why: str
    commands: tuple[Command, ...]


def blocks(page: Path) -> list[Block]:
    """The console blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        first = text.count("\n", 0, match.start("text")) + 1
        lines = match["text"].splitlines()
        read = _session(lines, first) if match["kind"] == "console" else _script(lines, first)
        found.append(Block(first, match["kind"], match["why"] or "", tuple(read)))
    return found


def _script(lines: list[str], first: int) -> Iterator[Command]:
    """A command a line; one that ends with a backslash goes on in the next."""
    held = ""
    for number, line in enumerate(lines, first):
        held += line
        if line.endswith("\\"):
            held += "\n"
        elif held.strip():
            yield Command(number, held)
            held = ""


def _session(lines: list[str], first: int) -> Iterator[Command]:
    """What stands behind a `$` is typed, and what follows is its output."""
    held: Command | None = None
    for number, line in enumerate(lines, first):
        if line.startswith("$ "):
            if held:
                yield held
            held = Command(number, line[2:], "")
        else:
            assert held, f"line {number}: output of no command"
            held = Command(held.line, held.typed, f"{held.shown}{line}\n")
    if held:
        yield held


_VOLATILE = (
    (re.compile(r"\b\d{8}-[0-9a-f]{6}\b"), "BRANCH"),
    (re.compile(r"\b(?=\w*\d)[0-9a-f]{7,64}\b"), "HASH"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2}\b"), "DAY"),
    (re.compile(r"\b\d{2}:\d{2}\b"), "TIME"),
    (re.compile(r"\b(?:today|\d+ (?:days?|d) ago)\b"), "AGE"),
    (re.compile(r"\d+(?:\.\d+)? m?s\b"), "SPAN"),
    (re.compile(r"\s+"), " "),
)


def steady(text: str, home: Path | None = None) -> str:
    """A text without what differs from one run to the next: hashes, days, paths, line breaks."""
    if home:
        text = text.replace(str(home), "/home/me")
    for pattern, name in _VOLATILE:
        text = pattern.sub(name, text)
    return text.strip()


def agrees(shown: str, said: str, home: Path) -> bool:
    """Whether a command said what the page shows; its lines `...` stand for any."""
    parts = [steady(part) for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]
    pattern = ".*".join(map(re.escape, parts))
    return re.fullmatch(pattern.replace(r"\ ", " ?"), steady(said, home)) is not None
