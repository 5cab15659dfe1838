"""Gates on what memories are called, and on how they call each other.

The one rule: a name leads to one memory, and a reference between the fences leads to one at all.
"""

from collections.abc import Iterable, Iterator, Mapping

from memgit.domain.gates.register import Entry, Register
from memgit.domain.gates.scope import File, Scope
from memgit.domain.links import REFERENCES, links, references
from memgit.domain.memory import key_of
from memgit.errors import Fault


def name(scope: Scope) -> Iterator[Fault]:
    """Names, or paths, that only case or Unicode form tells apart."""
    paths: dict[str, list[str]] = {}
    for path in scope.paths:
        paths.setdefault(key_of(path), []).append(path)
    for file in scope.files:
        same = {entry.path for entry in scope.register.named(file.memory.name)} - {file.path}
        if same:
            text = f"{file.memory.name} is also the name of {listed(same)}"
            yield Fault(file.path, file.line_of("name"), "name", text)
        if like := set(paths[key_of(file.path)]) - {file.path}:
            text = f"its path differs from {listed(like)} only by case or Unicode form"
            yield Fault(file.path, 1, "name", text)


def link(scope: Scope) -> Iterator[Fault]:
    """References to memories that are not there."""
    for file in scope.files:
        for key in REFERENCES:
            for word in references(file.memory, key):
                if not scope.register.called(word):
                    text = f"{key} names {word}, and no memory is called that"
                    yield Fault(file.path, file.line_of(key, word), "link", text)


def dangling(scope: Scope) -> Iterator[Fault]:
    """Links in a body whose memory is still to come, or is gone."""
    for file in scope.files:
        for one in links(file.memory.body):
            # `[[:alpha:]]` is a class of characters, wherever it stands.
            if one.target[0] != ":" and not scope.register.called(one.target):
                text = f"[[{one.target}]] leads to no memory yet"
                yield Fault(file.path, file.body_line + one.line - 1, "dangling", text)


def cycle(scope: Scope) -> Iterator[Fault]:
    """Memories that are superseded by, or derived from, themselves by way of others."""
    for file in scope.files:
        for key in REFERENCES:
            if way := _way_back(scope.register, file, key):
                text = f"{key} leads back to it: {' → '.join(way)}"
                yield Fault(file.path, file.line_of(key), "cycle", text)


def successors(scope: Scope) -> Iterator[Fault]:
    """Memories that name more than one successor."""
    for file in scope.files:
        words = dict.fromkeys(references(file.memory, "superseded_by"))
        if len(words) > 1:
            text = (
                f"superseded by {' and by '.join(words)}; until one is taken out, the first counts"
            )
            yield Fault(file.path, file.line_of("superseded_by"), "successors", text)


def listed(paths: Iterable[str]) -> str:
    """Paths in a few words."""
    first, *more = sorted(paths)
    return f"{first} and {len(more)} more" if more else first


def _way_back(register: Register, file: File, key: str) -> list[str]:
    """The names on the shortest way from a memory back to itself; [] where there is none."""
    start = register.entries[file.path]
    came: dict[str, Entry] = {}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        for word in getattr(here, key):
            for there in register.called(word):
                if there.path == start.path:
                    return [*_names(came, here, start), start.name]
                if there.path not in came:
                    came[there.path] = here
                    waiting.append(there)
    return []


def _names(came: Mapping[str, Entry], last: Entry, start: Entry) -> list[str]:
    way = [last]
    while way[0].path != start.path:
        way.insert(0, came[way[0].path])
    return [entry.name for entry in way]
