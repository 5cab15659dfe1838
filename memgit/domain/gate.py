"""The gates: what may be wrong with the memories of a commit, each a plain function.

The one rule: a gate only looks. Adding one is writing the function and adding a line to `GATES`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memgit.domain.documents import LARGEST
from memgit.domain.links import REFERENCES, references
from memgit.domain.memory import TYPES, key_of
from memgit.domain.scope import Scope
from memgit.errors import Fault


@dataclass(frozen=True)
class Gate:
    """One kind of fault: `find` yields each with its place, `fix` says how to mend it.

    What does not block is worth telling, and no reason to stop a commit.
    """

    code: str
    explanation: str
    fix: str
    find: Callable[[Scope], Iterable[Fault]]
    blocks: bool = True


@dataclass(frozen=True)
class Finding:
    """A fault and the gate that found it."""

    fault: Fault
    gate: Gate


def judge(scope: Scope) -> list[Finding]:
    """What all gates find, by path and line."""
    found = [Finding(fault, gate) for gate in GATES for fault in gate.find(scope)]
    return sorted(found, key=lambda finding: finding.fault)


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


def name(scope: Scope) -> Iterator[Fault]:
    """Names, or paths, that only case or Unicode form tells apart."""
    names: dict[str, list[str]] = {}
    for file in scope.files:
        names.setdefault(key_of(file.memory.name), []).append(file.path)
    paths: dict[str, list[str]] = {}
    for path in scope.paths:
        paths.setdefault(key_of(path), []).append(path)
    for file in scope.files:
        same = {*names[key_of(file.memory.name)], *scope.others(file.memory.name)} - {file.path}
        if same:
            text = f"{file.memory.name} is also the name of {_listed(same)}"
            yield Fault(file.path, file.line_of("name"), "name", text)
        if like := set(paths[key_of(file.path)]) - {file.path}:
            text = f"its path differs from {_listed(like)} only by case or Unicode form"
            yield Fault(file.path, 1, "name", text)


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


def link(scope: Scope) -> Iterator[Fault]:
    """References to memories that are not there."""
    here = {
        key_of(word)
        for file in scope.files
        for word in (file.memory.name, *file.memory.words("aliases"))
    }
    for file in scope.files:
        for key in REFERENCES:
            for word in references(file.memory, key):
                if key_of(word) not in here and not scope.called(word):
                    text = f"{key} names {word}, and no memory is called that"
                    yield Fault(file.path, file.line_of(key, word), "link", text)


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def _listed(paths: Iterable[str]) -> str:
    first, *more = sorted(paths)
    return f"{first} and {len(more)} more" if more else first


GATES = (
    Gate(
        "encoding", "A memory is text in UTF-8.",
        "save the file as UTF-8; `iconv -f CP1252 -t UTF-8` converts one", encoding,
    ),
    Gate(
        "frontmatter", "What stands between the --- lines is YAML, and gives the memory's name.",
        "mend the YAML; a value with a colon or a hash in it needs quotes", frontmatter,
    ),
    Gate(
        "name", "No two memories have one name, also where case and Unicode form do not count.",
        "give one of them another name, or merge them", name,
    ),
    Gate(
        "size", "What is beyond the first million characters of a memory is not searched.",
        "split it into memories of one subject each", size, blocks=False,
    ),
    Gate(
        "type", "The type decides what decays and what may be replaced.",
        f"use {', '.join(TYPES)}; until then it counts as project", kind, blocks=False,
    ),
    Gate(
        "link", "superseded_by and derived_from name memories of this store.",
        "name a memory that is there (`memgit list`), or take the key out", link,
    ),
)  # fmt: skip
"""Every gate, in the order in which it looks."""
