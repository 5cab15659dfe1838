"""The gate on `MEMORY.md`: it lists every memory once, and nothing else.

The one rule: an index without entries is one that nobody has generated yet, and is no fault. Nor
is what memgit left out of one that it made: a retired memory, and what there was no room for;
somebody who writes a line into it has not made it.
"""

from collections.abc import Iterator

from memgit.domain.gates.register import Register
from memgit.domain.gates.scope import File, Scope
from memgit.domain.memory import NOT_MEMORIES
from memgit.errors import Fault

INDEX = NOT_MEMORIES[0]


def index(scope: Scope) -> Iterator[Fault]:
    """Lines of `MEMORY.md` that lead to no memory, and memories that no line leads to."""
    for file in scope.beside:
        if file.path == INDEX:
            yield from _of(file, scope.register)


def _of(file: File, register: Register) -> Iterator[Fault]:
    # Most commits hold no index, and need not wait for what reads one.
    from memgit.domain.always_on.listing import MORE, is_seal
    from memgit.domain.importing.index_lines import Pointer, read_index

    pointers = [one for one in read_index(file.text, lambda target: True)
                if isinstance(one, Pointer) and one.leads]  # fmt: skip
    reached: dict[str, int] = {}
    for one in pointers:
        paths = _paths(register, one.target)
        if not paths and "://" not in one.target:
            yield Fault(INDEX, one.line, "index", f"{one.target} is no memory of this store")
        for path in paths:
            if path in reached:
                text = f"{path} is listed on line {reached[path]} already"
                yield Fault(INDEX, one.line, "index", text)
            reached.setdefault(path, one.line)
    ours = is_seal(file.lines[0]) or MORE in file.text
    missing = sorted(set(register.entries) - set(reached)) if pointers and not ours else []
    last = max((one.line for one in pointers), default=1)
    for path in missing:
        yield Fault(INDEX, last, "index", f"{path} is not listed")


def _paths(register: Register, target: str) -> list[str]:
    if target in register.entries:
        return [target]
    return [entry.path for entry in register.called(target)]
