"""What a person or an agent wrote into `MEMORY.md`: it goes to the memories, all of it.

The one rule: a line that memgit itself wrote there is nobody's words but the memories'; every other
word is in a memory afterwards. Lines on a memory go to it, what else is said becomes one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from urllib.parse import unquote

from memgit.domain.always_on.listing import FILE, MORE, href, is_seal, line_of, sealed_lines
from memgit.domain.importing.index_lines import GENERIC, Passage, Pointer, read_index
from memgit.domain.importing.summary import summary
from memgit.domain.memory import Memory, decode, is_memory_path, key_of, parse, slug, split
from memgit.domain.naming import Newcomers
from memgit.domain.operation import one_line
from memgit.domain.operations.rewriting import with_keys
from memgit.domain.store import Store
from memgit.errors import StoreError

VERSIONS = 50
"""Earlier versions of `MEMORY.md` whose lines are known for ours: an agent may write back a text
that it read some time ago."""

_STATE = re.compile(r"\s*\((?:superseded by [^()]*|refuted|unverified|refuted, unverified)\)$")
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_MARKER = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: .*)?")
_TEMPLATE = "One line for each memory, newest first: - [Title](path.md) — what it is about"


@dataclass
class Taken:
    """The files that take up what was written: `new` memories, and `told` ones that say more now.

    The lists hold names; all are empty where there was nothing to take up. `read` is `MEMORY.md` as
    it was looked at, None where there is none.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    read: bytes | None = None

    @property
    def names(self) -> list[str]:
        """The memories that it is about."""
        return [*self.new, *self.told]

    @property
    def subject(self) -> str:
        """What was done, in a few words."""
        count = "1 memory" if len(self.names) == 1 else f"{len(self.names)} memories"
        return f"{count} from MEMORY.md"


def taken_over(store: Store, origin: str, now: datetime | None = None) -> Taken:
    """What becomes of the hand edits in `MEMORY.md`. `origin` says who wrote them.

    Nothing is written yet.
    """
    file = store.root / FILE
    if not file.is_file() or file.is_symlink():
        return Taken()
    read = store.content(FILE)
    text = decode(read)[0].replace("\r\n", "\n")
    if sealed_lines(text) is not None:
        return Taken(read=read)
    edits = _Edits(store, text, Newcomers(store, origin, now))
    edits.take()
    return replace(edits.taken, read=read)


def committed(store: Store) -> bytes | None:
    """`MEMORY.md` as it was last committed."""
    place = f"HEAD:{FILE}"
    status, blob, _ = store.repository.run_status("rev-parse", "--verify", "--quiet", place)
    return None if status else next(iter(store.repository.blobs([blob])), None)


def is_memory(store: Store, target: str) -> bool:
    """Whether a link's target is the path of a memory in the work tree."""
    parts = PurePosixPath(target).parts
    if not parts or target.startswith("/") or ".." in parts or not is_memory_path(target):
        return False
    file = store.root / target
    return file.is_file() and not file.is_symlink()


class _Edits:
    """One text on its way into the memories."""

    def __init__(self, store: Store, text: str, newcomers: Newcomers) -> None:
        self._store = store
        self._text = text
        self._newcomers = newcomers
        self._told: dict[str, bytes] = {}
        self._names: list[str] = []
        self._known = _known_lines(store)
        self._seen: set[str] = set()

    @property
    def taken(self) -> Taken:
        """What was made of it."""
        files = {**self._told, **self._newcomers.files}
        return Taken(files, self._newcomers.names, self._names)

    def take(self) -> None:
        """Read all of it, and then look whether a word is left."""
        head, body, _ = split(self._text)
        plain, comments = _without_comments(body)
        for said in ([head] if head and head.strip() else []) + comments:
            self._add(said, ())
        for row in read_index(plain, lambda target: is_memory(self._store, target)):
            if isinstance(row, Passage):
                self._passage(row)
            else:
                self._pointer(row)
        said = "\n".join([*([head] if head else []), *comments, plain])
        held = self._seen | words(" ".join(self._held()))
        rest = [line for line in said.split("\n") if not self._is_ours(line)]
        if lost := [line for line in rest if words(unquote(_STATE.sub("", line))) - held]:
            self._newcomers.add("from-memory-md", "\n".join(lost), "project")

    def _held(self) -> Iterator[str]:
        for path, data in self.taken.files.items():
            yield path
            yield decode(data)[0]

    def _is_ours(self, line: str) -> bool:
        """Whether memgit or git wrote a line, or it says nothing."""
        said = line.strip()
        ours = said in self._known or said == MORE or is_seal(said)
        ours = ours or said.lstrip("# ").lower() in GENERIC
        return ours or bool(_MARKER.fullmatch(said)) or not any(map(str.isalnum, said))

    def _is_known(self, row: Pointer, memory: Memory) -> bool:
        """Whether a line on a memory is as memgit wrote it, or would write it now."""
        lines = [line for line in row.text.split("\n") if line.strip()]
        return all(map(self._is_ours, lines)) or row.text.strip() == line_of(memory)

    def _memory(self, path: str) -> Memory:
        return parse(path, self._told.get(path) or self._store.content(path))[0]

    def _passage(self, row: Passage) -> None:
        lines = row.text.split("\n")
        own = [line for line in lines if line.strip() not in self._known and line.strip() != MORE]
        own = [line for line in own if not _MARKER.fullmatch(line.strip())]
        if any(any(map(str.isalnum, line)) for line in own):
            self._add("\n".join(own).strip("\n"), row.headings, row.target)

    def _add(self, text: str, headings: Sequence[str], target: str = "") -> None:
        stem = PurePosixPath(target).stem if target.endswith(".md") and "//" not in target else ""
        stem = stem or slug(summary(text, ""), 48).strip("-")
        topics = {"topics": list(headings)} if headings else {}
        self._newcomers.add(stem, text, "project", **topics)

    def _pointer(self, row: Pointer) -> None:
        """Give a memory what its line says; a sentence that only mentions it becomes one itself."""
        memory = self._memory(row.target)
        said = _words_of(memory)
        self._seen |= said
        changes: dict[str, object] = {}
        if not self._is_known(row, memory):
            if not row.leads:
                self._add(row.text.strip("\n"), row.headings)
                return
            changes = self._reworded(row, memory)
        if topics := [title for title in row.headings if not _says(_texts_of(memory), title)]:
            changes["topics"] = [*memory.words("topics"), *topics]
        if changes:
            self._tell(row, memory, changes)

    def _reworded(self, row: Pointer, memory: Memory) -> dict[str, object]:
        """The keys that take up a line: a new hook is what the person wants the line to say, and
        whatever the memory does not say in these words, in this order, becomes an alias: "never on
        Friday" is not said by a text that has all three.
        """
        changes: dict[str, object] = {}
        hook = _STATE.sub("", one_line(row.hook))
        had, about = memory.words("aliases"), memory.description
        phrases = [row.title, hook]
        if hook and (not about or self._is_edit(row, memory, hook)):
            changes["description"] = about = hook
            phrases = [row.title, memory.description]
        texts = (memory.name, memory.path, about, memory.body, *had)
        if aliases := [one for one in dict.fromkeys(phrases) if not _says(texts, one)]:
            changes["aliases"] = [*had, *aliases]
        return changes

    def _is_edit(self, row: Pointer, memory: Memory, hook: str) -> bool:
        """Whether somebody changed the hook that memgit had written whole on this memory's line."""
        mark = f"]({href(row.target)})"
        ours = [line for line in self._known if mark in line]
        whole = not any(line.endswith("…") for line in ours)
        return bool(ours) and whole and hook != one_line(memory.description)

    def _tell(self, row: Pointer, memory: Memory, changes: dict[str, object]) -> None:
        data = self._told.get(row.target) or self._store.content(row.target)
        try:
            self._told[row.target] = with_keys(row.target, data, changes)
        except StoreError:  # its encoding cannot hold these words, or its frontmatter is broken
            self._add(row.text.strip("\n"), row.headings)
            return
        if memory.name not in self._names:
            self._names.append(memory.name)


def words(text: str) -> set[str]:
    """The words of a text, without case."""
    return set(re.findall(r"\w+", key_of(text)))


def _says(texts: Sequence[str], phrase: str) -> bool:
    """Whether one of the texts has the words of a phrase, all and in a row; case does not count."""
    said = _row(phrase)
    return any(said in _row(text) for text in texts)


def _row(text: str) -> str:
    return " ".join(["", *re.findall(r"\w+", key_of(text)), ""])


def _texts_of(memory: Memory) -> tuple[str, ...]:
    about = (memory.name, memory.path, memory.description, memory.body)
    return (*about, *memory.words("aliases"), *memory.words("topics"))


def _words_of(memory: Memory) -> set[str]:
    return words(" ".join(_texts_of(memory)))


def _without_comments(text: str) -> tuple[str, list[str]]:
    """(a text without its comments, what those say that memgit did not write)."""
    told = [found.strip() for found in _COMMENT.findall(text)
            if not is_seal(f"<!--{found}-->") and found.strip() != _TEMPLATE]  # fmt: skip
    plain = _COMMENT.sub("", text)
    return plain.replace("<!--", ""), [said for said in told if any(map(str.isalnum, said))]


def _known_lines(store: Store) -> set[str]:
    """Every line of the last versions of `MEMORY.md` that were as memgit had made them."""
    log = store.repository.run(
        "log", f"-{VERSIONS}", "-m", "--format=", "--raw", "--no-abbrev", "--no-renames",
        "HEAD", "--", FILE, check=False,
    )  # fmt: skip
    blobs = dict.fromkeys(row.split()[3] for row in log.splitlines() if row.startswith(":"))
    known: set[str] = set()
    for data in store.repository.blobs(blob for blob in blobs if blob.strip("0")):
        known.update(line.strip() for line in sealed_lines(decode(data)[0]) or ())
    return known
