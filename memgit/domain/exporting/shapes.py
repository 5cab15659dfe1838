"""The shapes of an export that are folders: plain markdown, and Claude Code's own.

The one rule: a body arrives as it is, but for its `[[links]]`, which in plain markdown become links
that any reader of markdown follows.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from memgit.domain.always_on.listing import FILE as INDEX
from memgit.domain.always_on.listing import Row, chosen, href, line_of
from memgit.domain.always_on.profile import Profile
from memgit.domain.exporting.places import Shelf, state_of
from memgit.domain.links import with_links
from memgit.domain.memory import Memory, render
from memgit.domain.operation import one_line
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.prompt.profile import FILE as PROFILE

CLAUDE_CODE = Cap(200, 25_000)
"""Lines and UTF-16 units of `MEMORY.md` that Claude Code reads."""

Files = dict[str, bytes]


def markdown(store: Store, shelf: Shelf) -> Files:
    """Every memory as markdown that needs no program: a head of a few quoted lines, then its text.

    `MEMORY.md` lists all of them, and says which do not hold any more.
    """
    files = {shelf.path(one): _plain(one, shelf).encode("utf-8", "replace")
             for one in shelf.memories}  # fmt: skip
    newest = sorted(shelf.memories, key=lambda one: one.recorded, reverse=True)
    listed = [_line(one, shelf) for one in newest]
    files[INDEX] = "".join(f"{line}\n" for line in listed).encode("utf-8", "replace")
    if lines := Profile.of(store).lines:
        files[PROFILE] = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
    return files


def claude_code(store: Store, shelf: Shelf) -> tuple[Files, int]:
    """(memories as Claude Code writes them with a `MEMORY.md` that it reads whole, how many of them
    that has no room to list).

    The profile's lines come first in it, as Claude Code gives it in every session. What does not
    hold any more is left out, since Claude Code would read it as if it did.
    """
    holding = [one for one in shelf.memories if not state_of(one)]
    files = {shelf.path(one): render(one) for one in holding}
    always = Profile.of(store).lines
    size = sum(len(line) + line.count("\n") + 1 for line in always)
    rest = Cap(CLAUDE_CODE.lines - len(always), CLAUDE_CODE.units - 2 * size)
    rows = [row for one in holding if (row := Row.of(_moved(one, shelf), ""))]
    shown = chosen(rows, rest)
    listed = [*always, *(row.line for row in shown)]
    files[INDEX] = "".join(f"{line}\n" for line in listed).encode("utf-8", "surrogatepass")
    return files, len(holding) - len(shown)


def _moved(memory: Memory, shelf: Shelf) -> Memory:
    return replace(memory, path=shelf.path(memory))


def _line(memory: Memory, shelf: Shelf) -> str:
    said = line_of(_moved(memory, shelf))
    return f"{said} (retired)" if memory.is_retired else said


def _plain(memory: Memory, shelf: Shelf) -> str:
    head = "".join(f"> {line}  \n" for line in _head(memory, shelf))
    body = with_links(memory.body, lambda target, shown: _link(memory, shelf, target, shown))
    return f"{head}\n{body.lstrip(chr(10))}"


def _head(memory: Memory, shelf: Shelf) -> Iterator[str]:
    about = filter(None, (memory.type, memory.recorded[:10], ", ".join(memory.words("topics"))))
    yield one_line(f"**{memory.name}** · {' · '.join(about)}")
    if memory.description:
        yield one_line(memory.description)
    if word := memory.superseded_by:
        yield f"superseded by {_link(memory, shelf, word, word) or one_line(word)}"
    yield from (one_line(label) for label in memory.labels if not label.startswith("superseded"))
    if origins := memory.words("derived_from"):
        yield "from " + ", ".join(
            _link(memory, shelf, word, word) or one_line(word) for word in origins
        )


def _link(memory: Memory, shelf: Shelf, target: str, shown: str) -> str | None:
    """A link in the file of a memory to another; None where the target is none of them."""
    meant = shelf.called(target)
    if meant is None:
        return None
    folder = posixpath.dirname(shelf.path(memory))
    return f"[{one_line(shown)}]({href(posixpath.relpath(shelf.path(meant), folder or '.'))})"
