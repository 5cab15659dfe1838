"""Whether a store may make this machine look outside of the store's own tree, or spend its money.

The one rule: only the person says so, on this machine, and it is written down where no clone and no
archive of the store can bring it along. Trust is in what the store names at the time: folders of
projects, and a model that is paid by the token.
"""

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path

from memgit.domain.store import Store, record_file
from memgit.errors import StoreError
from memgit.ports.model.choosing import PAID

FILE = "trusted.json"
"""Beside the record of the person's own store."""


def trust(store: Store) -> None:
    """Let this store reach what its settings name now."""
    known = _known()
    known[_key(store)] = _digest(store)
    _write(known)


def distrust(store: Store) -> None:
    """Take that back."""
    known = _known()
    if known.pop(_key(store), None) is not None:
        _write(known)


def fault(store: Store) -> str:
    """Why a store is not trusted; "" where it is."""
    said = _known().get(_key(store))
    if said is None:
        return "this store is not trusted yet"
    if said != _digest(store):
        return "what this store's memgit.toml reaches for has changed since it was trusted"
    return ""


def _key(store: Store) -> str:
    return str(store.repository.common_dir)


def _digest(store: Store) -> str:
    """What trust is given to: the projects' folders, and what else reaches out."""
    settings = store.settings
    named = {name: asdict(project) for name, project in settings.projects.items()}
    paid = [settings.model.name] if settings.model.door == PAID else []
    told = json.dumps([named, asdict(settings.verify), *paid], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _file() -> Path:
    return record_file().with_name(FILE)


def _known() -> dict[str, str]:
    """Store → what was trusted; nothing where the file is not what we write."""
    try:
        data = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    pairs = data.items() if isinstance(data, dict) else ()
    return {key: value for key, value in pairs if isinstance(value, str)}


def _write(known: dict[str, str]) -> None:
    file = _file()
    aside = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps(known, indent=1, sort_keys=True), encoding="utf-8")
        aside.replace(file)
    except OSError as fault:
        raise StoreError(
            f"{fault.filename or file}: {fault.strerror}", "memgit must be able to write there"
        ) from None
