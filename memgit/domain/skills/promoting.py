"""Promoting a draft: the copy that a host finds, and the record of it in the store.

The one rule: the record and the copy go together, and a copy that somebody has changed since is
theirs: it is neither written over nor taken away.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.placed_files import Rewritten, is_left_over, placed
from memgit.domain.skills.draft import FILE, FOLDER, Draft
from memgit.domain.store import Store
from memgit.errors import StoreError

MOST_ACTIVE = 3
"""Skills of ours in one folder: with more of them, each is worth less."""

_RECORD = "promoted-"
"""How the name of a record's file begins."""

PROMOTE, DEMOTE = "promote-skill", "demote-skill"


@dataclass(frozen=True)
class Promotion:
    """A record: which draft was copied into which folder, and when; `digest` is the draft's,
    `copy` that of what was put there.
    """

    name: str
    path: str
    folder: str
    digest: str
    copy: str
    at: str

    @property
    def file(self) -> Path:
        """The copy."""
        return Path(self.folder).expanduser() / self.name / FILE

    @property
    def stands(self) -> bool:
        """Whether the copy is there, as it was made."""
        return _digest(_content(self.file)) == self.copy

    @property
    def is_changed(self) -> bool:
        """Whether another text stands in its place."""
        return self.is_there and not self.stands

    @property
    def is_there(self) -> bool:
        """Whether any file stands in its place."""
        return os.path.exists(self.file)  # which raises for no folder that is closed

    def is_in(self, folder: Path) -> bool:
        """Whether its copy belongs into a folder."""
        return Path(self.folder).expanduser().resolve() == folder.resolve()


def promotions(store: Store) -> list[Promotion]:
    """The promotions that a store tells of, by name: those on other machines too."""
    found: list[Promotion] = []
    for path in sorted(set(store.files())):
        parts = path.split("/")
        if len(parts) == 4 and path.startswith(f"{FOLDER}/") and parts[3].startswith(_RECORD):
            with suppress(StoreError):
                found += _read(path, store.content(path))
    return found


def promotions_here(store: Store) -> list[Promotion]:
    """Those of this person on this machine."""
    return [one for one in promotions(store) if is_here(store, one)]


def is_here(store: Store, one: Promotion) -> bool:
    """Whether a promotion is of this person and machine.

    One that somebody else recorded is, where its copy stands here and this person recorded none for
    that folder: both then share the folder, or the person goes by another address by now.
    """
    own = f"{FOLDER}/{one.name}/{_record_of(store, Path(one.folder).expanduser())}"
    return one.path == own or (one.stands and not (store.root / own).exists())


def copies(store: Store) -> set[Path]:
    """The copies of ours on this machine that stand as they were made; links followed."""
    return {one.file.resolve() for one in promotions(store) if one.stands}


def promote(
    store: Store, draft: Draft, folder: Path, now: datetime, by: Provenance = BY_THE_USER
) -> Changed:
    """Copy a draft into a skills folder, and commit the record of it.

    Raises StoreError, having changed nothing, where something stands there, three of ours are in
    the folder, it is one of the store's, or the draft changed meanwhile. What a promotion that was
    killed left there is gone on with.
    """
    if folder.resolve().is_relative_to(store.root.resolve()):
        raise StoreError(f"{folder} lies in the store", "name a folder where an agent looks")
    target = folder / draft.name / FILE
    data = draft.admitted()
    known = (one for one in promotions_here(store) if one.stands and one.is_in(folder))
    if any(one.name == draft.name for one in known):
        raise StoreError(f"{draft.name} is promoted to {folder} already", "demote it first")
    _expect_room(store, draft.name, folder)
    if not _is_free(target, data):
        raise StoreError(f"{target.parent} exists", "rename the draft, or move that skill away")
    record = {
        "folder": _short(folder), "digest": draft.digest,
        "copy": hashlib.sha256(data).hexdigest(), "at": now.isoformat(timespec="seconds"),
    }  # fmt: skip
    path = f"{FOLDER}/{draft.name}/{_record_of(store, folder)}"

    def plan(catalogue: Catalogue) -> Plan:
        if store.content(draft.path) != draft.data:
            raise StoreError(f"{draft.path} was changed meanwhile", "check it again")
        _expect_room(store, draft.name, folder)
        operation = Operation.of(
            PROMOTE, f"{draft.name} to {record['folder']}", (), by, to=record["folder"]
        )
        return Plan(operation, {path: f"{json.dumps(record, indent=1)}\n".encode()})

    stood = data if target.exists() else None
    place = f"{draft.name}/{FILE}"
    try:
        with placed(folder, {place: data}, {place: stood}):
            return change(store, plan)
    except Rewritten:
        raise StoreError(f"{target.parent} exists", "rename the draft, or move it away") from None
    except OSError as fault:
        raise StoreError(f"{target}: {fault.strerror}", "nothing was promoted") from None


def demote(store: Store, name: str, by: Provenance = BY_THE_USER) -> Changed:
    """Take the copies of a draft on this machine away, and the record of each; the draft stays.

    Raises StoreError, having changed nothing, where there is none, or one was changed since.
    """
    found = [one for one in promotions(store) if one.name == name]
    mine = [one for one in found if is_here(store, one)]
    if not mine:
        where = "; it is promoted on another machine" if found else ""
        raise StoreError(f"{name} is not promoted here{where}", "`memgit skills report` lists all")
    place = f"{name}/{FILE}"
    stood = {one.file: _content(one.file) for one in mine}
    for one in mine:
        if one.is_changed or _digest(stood[one.file]) not in ("", one.copy):
            raise _changed(one.file)
    folders = ", ".join(one.folder for one in mine)

    def plan(catalogue: Catalogue) -> Plan:
        operation = Operation.of(DEMOTE, f"{name} from {folders}", (), by, to=folders)
        return Plan(operation, {one.path: None for one in mine})

    try:
        with ExitStack() as away:
            for one in mine:
                gone = placed(one.file.parent.parent, {place: None}, {place: stood[one.file]})
                away.enter_context(gone)
            done = change(store, plan)
    except Rewritten:
        raise _changed(one.file) from None
    except OSError as fault:
        raise StoreError(f"{fault.filename}: {fault.strerror}", "nothing was demoted") from None
    for one in mine:
        _leave(one.file.parent)
    return done


def _changed(file: Path) -> StoreError:
    return StoreError(
        f"{file} was changed since it was promoted",
        "move what you wrote there elsewhere, or remove that folder yourself",
    )


def _expect_room(store: Store, name: str, folder: Path) -> None:
    active = {one.name for one in promotions(store) if one.stands and one.is_in(folder)} - {name}
    if len(active) >= MOST_ACTIVE:
        raise StoreError(
            f"{folder} has {len(active)} skills of this store already: {', '.join(sorted(active))}",
            "demote one first (`memgit skills demote NAME`)",
        )


def _is_free(target: Path, data: bytes) -> bool:
    """Whether nothing stands there, but for what a promotion of this very text left half done."""
    folder = target.parent
    if not folder.is_dir() or folder.is_symlink():
        return not os.path.lexists(folder)
    try:
        names = {one.name for one in folder.iterdir() if not is_left_over(one.name)}
    except OSError:
        return False
    same = _digest(_content(target)) == _digest(data)
    return names <= {FILE} and (not names or same)


def follow(store: Store, commit: str) -> Iterator[str]:
    """After a commit that took an operation back: let the copies here be what the records say.

    Yields what was done, and what was left because somebody changed it.
    """
    changes = store.repository.run(
        "diff-tree", "-r", "--no-commit-id", "--name-only", "-z", commit, "--", FOLDER
    ).split("\0")
    for path in filter(lambda one: f"/{_RECORD}" in one, changes):
        now = store.root / path
        revision = commit if now.is_file() else f"{commit}^"
        data = store.repository.run("show", f"{revision}:{path}").encode()
        for one in _read(path, data):
            if is_here(store, one):
                yield from _follow(store, one, now.is_file())


def _follow(store: Store, one: Promotion, is_promoted: bool) -> Iterator[str]:
    if one.is_changed:
        yield f"{one.file} was changed since, and is left as it is"
    elif not is_promoted and one.stands:
        _remove(one.file)
        yield f"{one.file} is taken away"
    elif is_promoted and not one.is_there:
        source = store.root / FOLDER / one.name / FILE
        data = Draft.parse(f"{FOLDER}/{one.name}/{FILE}", source.read_bytes()).admitted()
        if hashlib.sha256(data).hexdigest() == one.copy:
            try:
                with placed(one.file.parent.parent, {f"{one.name}/{FILE}": data}):
                    pass
            except (OSError, StoreError) as fault:
                yield f"{one.file} is not there again: {fault}"
            else:
                yield f"{one.file} is there again"
        else:
            yield f"{one.name} was edited since it was promoted: promote it anew"


def _read(path: str, data: bytes) -> Iterator[Promotion]:
    with suppress(ValueError, KeyError, TypeError, RuntimeError):
        told = json.loads(data)
        values = (str(told[key]) for key in ("folder", "digest", "copy", "at"))
        one = Promotion(path.split("/")[2], path, *values)
        one.file.resolve()  # which raises for what is no path, or nobody's home
        yield one


def _record_of(store: Store, folder: Path) -> str:
    """The file name of a record, which tells a person's folder on this machine from others'."""
    who = f"{store.repository.config('user.email') or ''}\0{folder.resolve()}"
    return f"{_RECORD}{hashlib.sha256(who.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}.json"


def _short(folder: Path) -> str:
    """The folder as the record names it: from the home on, so that it names nobody."""
    for home in (Path.home(), Path.home().resolve()):
        if folder.is_relative_to(home):
            return f"~/{folder.relative_to(home)}"
    return str(folder)


def _remove(file: Path) -> None:
    """Take a copy away; what else somebody put into its folder stays."""
    with suppress(OSError):
        file.unlink(missing_ok=True)
    _leave(file.parent)


def _leave(folder: Path) -> None:
    """Take away the folder of a copy that is gone, where nothing else is in it."""
    with suppress(OSError):
        folder.rmdir()


def _content(file: Path) -> bytes | None:
    """What a file holds; None where there is none that can be read."""
    try:
        return file.read_bytes()
    except OSError:
        return None


def _digest(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()
