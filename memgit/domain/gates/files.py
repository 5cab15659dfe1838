"""Gates on one file as such: its bytes, its frontmatter, its size, its type.

The one rule: each looks at one memory and needs no other.
"""

from collections.abc import Iterator

from memgit.domain.gates.scope import Scope
from memgit.domain.memory import LARGEST, TYPES
from memgit.errors import Fault
from memgit.ports.markdown import fences


def encoding(scope: Scope) -> Iterator[Fault]:
    """Bytes that are not UTF-8, or not text."""
    for file in scope.files:
        at = file.data.find(b"\0")
        what = "a NUL byte"
        try:
            file.data.decode("utf-8")
        except UnicodeDecodeError as fault:
            if at < 0 or fault.start <= at:
                at, what = fault.start, f"byte {file.data[fault.start]:#04x}, which is not UTF-8"
        if at >= 0:
            yield Fault(file.path, _line(file.data, at), "encoding", what)


def frontmatter(scope: Scope) -> Iterator[Fault]:
    """Frontmatter that cannot be read, or gives no name. A file may also have none at all."""
    for file in scope.files:
        broken = [fault for fault in file.faults if fault.code == "frontmatter"]
        for fault in broken:
            yield Fault(file.path, fault.line, "frontmatter", fault.message.partition(";")[0])
        if file.frontmatter is not None and not broken and not file.is_named:
            yield Fault(file.path, file.line_of("name"), "frontmatter", "no name")


def conflict(scope: Scope) -> Iterator[Fault]:
    """Both sides of a merge that nobody finished; the line is the one on which they begin.

    Within one code fence they are an example: a note may tell what a conflict looks like.
    """
    for file in (*scope.files, *scope.beside):
        if b"<<<<<<<" not in file.data:
            continue
        start = middle = 0
        fence = fences(file.lines)
        for number, line in enumerate(file.lines, 1):
            if line.startswith("<<<<<<< "):
                start, middle = number, 0
            elif start and line.rstrip() == "=======":
                middle = number
            elif middle and line.startswith(">>>>>>> "):
                if not (fence[start - 1] and fence[start - 1] == fence[number - 1]):
                    text = f"the two sides of a merge stand here, up to line {number}"
                    yield Fault(file.path, start, "conflict", text)
                start = middle = 0


def size(scope: Scope) -> Iterator[Fault]:
    """Bodies longer than what is searched; the line is the one on which searching ends."""
    for file in scope.files:
        body = file.memory.body
        if len(body) > LARGEST:
            line = file.body_line + body.count("\n", 0, LARGEST)
            text = f"{len(body):,} characters; the first {LARGEST:,} end here"
            yield Fault(file.path, line, "size", text)


def kind(scope: Scope) -> Iterator[Fault]:
    """Types that memgit does not know."""
    for file in scope.files:
        if file.memory.type not in TYPES:
            text = f"{file.memory.type} is none of {', '.join(TYPES)}"
            yield Fault(file.path, file.line_of("type"), "type", text)


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
