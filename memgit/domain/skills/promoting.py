"""Promoting a draft: the copy that a host finds, and the record of it in the store.

The one rule: the record and the copy go together, and a copy that somebody has changed since is
theirs: it is neither written over nor taken away.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memgit.domain.operation import BY_THE_USER, Operation, Provenance
from memgit.domain.operations.catalogue import Catalogue
from memgit.domain.operations.changing import Changed, Plan, change
from memgit.domain.skills.draft import FILE, FOLDER, Draft
from memgit.domain.store import Store
from memgit.errors import StoreError

MOST_ACTIVE = 3
"""Skills of ours in one folder: with more of them, each is worth less."""

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
        return _digest(self.file) == self.copy

    @property
    def is_changed(self) -> bool:
        """Whether another text stands in its place."""
        return self.file.exists() and not self.stands


def promotions(store: Store) -> list[Promotion]:
    """The promotions that a store tells of, by name: those on other machines too."""
    found: list[Promotion] = []
    for path in sorted(set(store.files())):
        parts = path.split("/")
        if len(parts) == 4 and path.startswith(f"{FOLDER}/") and parts[3].startswith("promoted-"):
            with suppress(StoreError):
                found += _read(path, store.content(path))
    return found


def copies(store: Store) -> set[Path]:
    """The copies of ours on this machine that stand as they were made."""
    return {one.file for one in promotions(store) if one.stands}


def promote(
    store: Store, draft: Draft, folder: Path, now: datetime, by: Provenance = BY_THE_USER
) -> Changed:
    """Copy a draft into a skills folder, and commit the record of it.

    Raises StoreError, having changed nothing, where something stands there, three of ours are in
    the folder, or the draft changed meanwhile.
    """
    target = folder / draft.name / FILE
    active = [one for one in promotions(store) if one.stands and one.file.parent.parent == folder]
    if any(one.name == draft.name for one in active):
        raise StoreError(f"{draft.name} is promoted to {folder} already", "demote it first")
    if len(active) >= MOST_ACTIVE:
        names = ", ".join(one.name for one in active)
        raise StoreError(
            f"{folder} has {len(active)} skills of this store already: {names}",
            "demote one first (`memgit skills demote NAME`)",
        )
    if target.parent.exists():
        raise StoreError(f"{target.parent} exists", "rename the draft, or move that skill away")
    data = draft.admitted()
    record = {
        "folder": _short(folder), "digest": draft.digest,
        "copy": hashlib.sha256(data).hexdigest(), "at": now.isoformat(timespec="seconds"),
    }  # fmt: skip
    path = f"{FOLDER}/{draft.name}/promoted-{_key(store, folder)}.json"

    def plan(catalogue: Catalogue) -> Plan:
        if store.content(draft.path) != draft.data:
            raise StoreError(f"{draft.path} was changed meanwhile", "check it again")
        operation = Operation.of(
            PROMOTE, f"{draft.name} to {record['folder']}", (), by, to=record["folder"]
        )
        return Plan(operation, {path: f"{json.dumps(record, indent=1)}\n".encode()})

    _place(target, data)
    try:
        return change(store, plan)
    except BaseException:
        _remove(target)
        raise


def demote(store: Store, name: str, by: Provenance = BY_THE_USER) -> Changed:
    """Take the copies of a draft on this machine away, and the record of each; the draft stays.

    Raises StoreError, having changed nothing, where there is none, or one was changed since.
    """
    found = [one for one in promotions(store) if one.name == name]
    mine = [one for one in found if one.path.endswith(f"-{_key_of(store, one)}.json")]
    if not mine:
        where = "; it is promoted on another machine" if found else ""
        raise StoreError(f"{name} is not promoted here{where}", "`memgit skills report` lists all")
    for one in mine:
        if one.is_changed:
            raise StoreError(
                f"{one.file} was changed since it was promoted",
                "move what you wrote there elsewhere, or remove that folder yourself",
            )
    folders = ", ".join(one.folder for one in mine)

    def plan(catalogue: Catalogue) -> Plan:
        operation = Operation.of(DEMOTE, f"{name} from {folders}", (), by, to=folders)
        return Plan(operation, {one.path: None for one in mine})

    done = change(store, plan)
    for one in mine:
        _remove(one.file)
    return done


def follow(store: Store, commit: str) -> Iterator[str]:
    """After a commit that took an operation back: let the copies here be what the records say.

    Yields what was done, and what was left because somebody changed it.
    """
    changes = store.repository.run(
        "diff-tree", "-r", "--no-commit-id", "--name-only", "-z", commit, "--", FOLDER
    ).split("\0")
    for path in filter(lambda one: "/promoted-" in one, changes):
        now = store.root / path
        revision = commit if now.is_file() else f"{commit}^"
        data = store.repository.run("show", f"{revision}:{path}").encode()
        for one in _read(path, data):
            if path.endswith(f"-{_key_of(store, one)}.json"):
                yield from _follow(store, one, now.is_file())


def _follow(store: Store, one: Promotion, is_promoted: bool) -> Iterator[str]:
    if one.is_changed:
        yield f"{one.file} was changed since, and is left as it is"
    elif not is_promoted and one.stands:
        _remove(one.file)
        yield f"{one.file} is taken away"
    elif is_promoted and not one.file.exists():
        source = store.root / FOLDER / one.name / FILE
        data = Draft.parse(f"{FOLDER}/{one.name}/{FILE}", source.read_bytes()).admitted()
        if hashlib.sha256(data).hexdigest() == one.copy:
            _place(one.file, data)
            yield f"{one.file} is there again"
        else:
            yield f"{one.name} was edited since it was promoted: promote it anew"


def _read(path: str, data: bytes) -> Iterator[Promotion]:
    with suppress(ValueError, KeyError, TypeError):
        told = json.loads(data)
        values = (str(told[key]) for key in ("folder", "digest", "copy", "at"))
        yield Promotion(path.split("/")[2], path, *values)


def _key_of(store: Store, one: Promotion) -> str:
    return _key(store, Path(one.folder).expanduser())


def _key(store: Store, folder: Path) -> str:
    """What tells a person's folder on this machine from those of others who share the store."""
    who = f"{store.repository.config('user.email') or ''}\0{folder}"
    return hashlib.sha256(who.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _short(folder: Path) -> str:
    """The folder as the record names it: from the home on, so that it names nobody."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)


def _place(file: Path, data: bytes) -> None:
    """Make the copy. Raises StoreError where the folder does not take it."""
    try:
        file.parent.mkdir(parents=True)
        file.write_bytes(data)
    except OSError as fault:
        raise StoreError(f"{file}: {fault.strerror}", "nothing was promoted") from None


def _remove(file: Path) -> None:
    """Take a copy away; what else somebody put into its folder stays."""
    with suppress(OSError):
        file.unlink(missing_ok=True)
        if not any(file.parent.iterdir()):
            shutil.rmtree(file.parent)


def _digest(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""
