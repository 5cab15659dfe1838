"""Looking a source up where it stands today: in a session's transcript, or in git by its blob.

The one rule: a source that moved, changed or went away is told to have, and what was quoted of it
is given all the same.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from glob import escape
from pathlib import Path

from memgit.domain.harvesting.candidate import USER, Quote
from memgit.domain.harvesting.heard import Heard
from memgit.domain.memory import Memory, key_of
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.sourcing.source import Source, sources_of
from memgit.domain.store import Store
from memgit.domain.transcripts.turns import Turn, turns
from memgit.errors import MemgitError
from memgit.ports.git import Repository

UNCHANGED, MOVED, CHANGED, GONE, QUOTED = "unchanged", "moved", "changed", "gone", "quoted"
"""It stands where it stood; elsewhere; says something else by now; is nowhere; names no place."""


@dataclass(frozen=True)
class Found:
    """A source as it is today. `text` is what stood there, "" where nobody has it any more; then
    the quote is what is left. `note` says where it is now. `of` names the memory that points to it.
    """

    of: str
    source: Source
    state: str
    text: str = ""
    note: str = ""

    @property
    def words(self) -> str:
        """The most that there is of it."""
        return self.text or self.source.quote


class Sources:
    """The sources of the memories of a store; `transcripts` is where sessions lie."""

    def __init__(self, store: Store, transcripts: Path) -> None:
        self.store = store
        self.transcripts = transcripts
        self._turns: dict[str, dict[str, Turn]] = {}

    def of(self, memory: Memory) -> list[Found]:
        """Every source of a memory, then those of what it is derived from, each once."""
        found = [self._found(memory, source) for source in sources_of(memory)]
        for entry in self._premises(memory):
            other = self.store.read(entry)
            found += [self._found(other, source) for source in sources_of(other)]
        return list({(one.source.quote, one.source.place): one for one in found}.values())

    def _premises(self, memory: Memory) -> Iterator[str]:
        """The paths of the memories that it is derived from, and those from others in turn."""
        if not memory.words("derived_from"):
            return
        catalogue = Catalogue(self.store)
        known = {key_of(memory.name)}
        open_ones = list(memory.words("derived_from"))
        while open_ones:
            entry = catalogue.called(open_ones.pop(0).strip("[] "))
            if entry is None or key_of(entry.name) in known:
                continue
            known.add(key_of(entry.name))
            yield entry.path
            open_ones += self.store.read(entry.path).words("derived_from")

    def _found(self, memory: Memory, source: Source) -> Found:
        if source.session:
            state, text, note = self._in_session(source)
        elif source.path or source.blob:
            state, text, note = self._in_git(source)
        else:
            state, text, note = QUOTED, "", ""
        return Found(memory.name, source, state, text, note)

    # Sessions -------------------------------------------------------------------------------

    def _in_session(self, source: Source) -> tuple[str, str, str]:
        known = self._session(source.session)
        if not known:
            return GONE, "", "the session's file is gone; what was quoted is kept here"
        turn = known.get(source.turn)
        if turn is None:
            return GONE, "", "the session has no such turn; what was quoted is kept here"
        if source.digest and turn.digest != source.digest:
            return CHANGED, "", "the turn says something else by now; this is what was quoted"
        heard = Heard([turn]).find(Quote(1, source.role or USER, source.quote))
        return UNCHANGED, heard.passage if heard else "", ""

    def _session(self, session: str) -> dict[str, Turn]:
        if session not in self._turns:
            found: dict[str, Turn] = {}
            # It names a file, and in a memory that somebody sent it may hold anything.
            if "/" not in session and "\\" not in session:
                for path in sorted(self.transcripts.glob(f"*/{escape(session)}.jsonl")):
                    with suppress(OSError):
                        found.update((turn.id, turn) for turn in turns(path))
            self._turns[session] = found
        return self._turns[session]

    # Files ----------------------------------------------------------------------------------

    @cached_property
    def _repositories(self) -> Sequence[Repository]:
        """The store's own, then those of its projects that are there."""
        found = [self.store.repository]
        for project in self.store.settings.projects.values():
            with suppress(MemgitError, OSError):
                found.append(Repository(Path(project.path).expanduser()))
        return found

    def _in_git(self, source: Source) -> tuple[str, str, str]:
        if not source.blob:
            return self._by_path(source)
        for repository in self._repositories:
            if repository.run_status("cat-file", "-e", f"{source.blob}^{{blob}}")[0]:
                continue
            whole = next(repository.blobs([source.blob])).decode("utf-8", "replace")
            state, note = _where(repository, source)
            return state, _lines(whole, source), note
        return GONE, "", "no repository here has this blob; what was quoted is kept here"

    def _by_path(self, source: Source) -> tuple[str, str, str]:
        for repository in self._repositories:
            path = repository.root / source.path
            if not path.resolve().is_relative_to(repository.root.resolve()):
                continue
            with suppress(OSError):
                text = _lines(path.read_text("utf-8", "replace"), source)
                if source.quote and source.quote not in text:
                    return CHANGED, "", "the file says something else by now"
                return UNCHANGED, text, ""
        return GONE, "", "the file is not there; what was quoted is kept here"


def _where(repository: Repository, source: Source) -> tuple[str, str]:
    """(state, note) of a blob that a repository has."""
    head = repository.head()
    tree = repository.tree(head) if head else {}
    now = [path for path, blob in tree.items() if blob.startswith(source.blob)]
    if source.path in now:
        return UNCHANGED, ""
    if now:
        return MOVED, f"stands in {now[0]} now"
    if source.path in tree:
        return CHANGED, "the file says something else by now; this is what it said"
    return GONE, "no longer in the tree; read from history"


def _lines(text: str, source: Source) -> str:
    if not source.lines:
        return text.strip("\n")
    first, last = source.lines
    return "\n".join(text.split("\n")[first - 1 : last])
