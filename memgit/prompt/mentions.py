"""Memories that a prompt calls by name: `@name`, `name.md`, a path to it, or `/name` as a command.

The one rule: who names a memory gets it; the gate judges only what was not named. A name counts
only with one of these marks, because a bare word may be any word.
"""

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from memgit.prompt.table import Table

MARK = "@"
"""What a handle starts with; no term of a text does."""

LOOKED = 20_000
"""Characters of a prompt in which names are looked for."""

_ENDINGS = (".md", ".mdc", ".mdx", ".markdown")


def handles(name: str, path: str) -> "list[str]":
    """The terms under which the table holds a memory for those who mention it."""
    file = path.rpartition("/")[2].rpartition("__")[2]
    return list(dict.fromkeys(_handle(called) for called in (name, file) if _bare(called)))


def mentioned(table: "Table", prompt: str, limit: int) -> "list[int]":
    """The memories that a prompt names, in its order; a name that too many share names none."""
    found: dict[int, None] = {}
    for called in _called(prompt):
        memories = lookup(table, called)
        if len(memories) > limit and "/" in called:
            tail = _without_ending(called.replace("__", "/")).lower()
            memories = [
                memory
                for memory in memories
                if _without_ending(table.record(memory)["path"].replace("__", "/"))
                .lower()
                .endswith(tail)
            ]
        if len(memories) <= limit:
            found.update(dict.fromkeys(memories))
    return list(found)[:limit]


def lookup(table: "Table", called: str) -> "list[int]":
    """The memories with this name or file name, as numbers in the table."""
    file = called.rpartition("/")[2].rpartition("__")[2]
    return [
        segment.base + memory
        for segment, count, first, _ in table.lookup(_handle(file))
        for memory in segment.postings(count, first)[0]
        if memory not in segment.deleted
    ]


def _called(prompt: str) -> "list[str]":
    """The words of a prompt that are marked as names."""
    found = []
    start = prompt.lstrip()
    if start.startswith("/"):
        command = start[1:].split(None, 1)[0] if start[1:].strip() else ""
        if command and "/" not in command:
            found.append(command.rpartition(":")[2])
    for word in prompt[:LOOKED].split():
        if "@" in word or (".m" in word.lower() and "://" not in word):
            found += _marked(word)
    return [called for called in found if _bare(called)]


def _marked(word: str) -> "list[str]":
    """The names in one run of text without white space: Japanese goes on right behind a name."""
    spaced = "".join(c if c.isalnum() or c in "@/._-" else " " for c in word)
    found = []
    for piece in spaced.split():
        ending = _ending(piece)
        if ending:
            name = piece[: piece.lower().index(ending) + len(ending)].lstrip("@")
            # Before a name in Latin letters, a sentence in another script may stand.
            start = len(name)
            while start and name[start - 1].isascii():
                start -= 1
            found += [name[start:]] if start < len(name) - len(ending) else [name]
        elif piece.startswith("@") and "/" not in piece:
            found.append(piece[1:].rstrip("._-"))
    return found


def _ending(piece: str) -> str:
    """The ending of a memory's file that a piece of text holds, or ""."""
    lowered = piece.lower()
    for ending in _ENDINGS:
        after = lowered.partition(ending)[2]
        if ending in lowered and not (after[:1].isascii() and after[:1].isalnum()):
            return ending
    return ""


def _handle(called: str) -> str:
    return MARK + _bare(called)


def _bare(called: str) -> str:
    """A name without its ending and without what people leave out or vary: case, - _ and blanks."""
    name = _without_ending(called)
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFKC", name)
    return "".join(c for c in name.casefold() if c.isalnum())[:64]


def _without_ending(name: str) -> str:
    while name.lower().endswith(_ENDINGS):
        name = name.rpartition(".")[0]
    return name
