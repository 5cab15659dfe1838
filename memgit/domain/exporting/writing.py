"""Putting an export where a person wants it.

The one rule: all of it stands there, or nothing. A file that was there is only replaced where an
export of this store wrote it and nobody has changed it since; none is removed.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memgit.domain.importing.arrival import digest
from memgit.domain.placed_files import Rewritten, placed
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError

LEDGER = "exported.json"
"""Among the derived data: folder → path → SHA-256 of what an export wrote there."""

NAMED = 3
"""Files that a refusal names."""


@dataclass(frozen=True)
class Written:
    """Paths below the folder: those that came, changed, and stood so already; and `stale` ones of
    an earlier export that this one has no more.
    """

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


def write(store: Store, folder: Path, files: Mapping[str, bytes]) -> Written:
    """Write these files below a folder, which is made where it is missing.

    Raises UsageError for a folder in the store, StoreError, with nothing written, where a file of
    somebody else stands in the place of one, or where the disk refuses.
    """
    real = Path(os.path.realpath(folder))
    if real.is_relative_to(Path(os.path.realpath(store.root))):
        raise UsageError(f"{folder}: in the store itself", "name a folder outside of it")
    known = _ledger(store)
    ours = known.get(str(real), {})
    try:
        stood = {path: _content(real / path) for path in files}
        _expect_ours(folder, stood, files, ours)
        with placed(real, files, seen=stood):
            pass
    except Rewritten as fault:
        raise StoreError(f"{folder / str(fault)} was just written by another program",
                         "nothing was written; try again") from None  # fmt: skip
    except OSError as fault:
        raise StoreError(f"{fault.filename or folder}: {fault.strerror}",
                         "nothing was written; make room or rights") from None  # fmt: skip
    wrote = {path: digest(data) for path, data in files.items()}
    _keep(store, {**known, str(real): {**ours, **wrote}})
    stale = [path for path in ours if path not in files and os.path.isfile(real / path)]
    return Written(
        tuple(path for path, data in stood.items() if data is None),
        tuple(path for path, data in stood.items() if data not in (None, files[path])),
        tuple(path for path, data in stood.items() if data == files[path]),
        tuple(sorted(stale)),
    )


def _expect_ours(
    folder: Path, stood: Mapping[str, bytes | None], files: Mapping[str, bytes],
    ours: Mapping[str, str],
) -> None:  # fmt: skip
    differ = {path: data for path, data in stood.items() if data not in (None, files[path])}
    others = [path for path, data in differ.items() if digest(data or b"") != ours.get(path)]
    if others:
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        says = "another file stands there" if len(others) == 1 else "other files stand there"
        raise StoreError(
            f"{folder}: {says}: {', '.join(others[:NAMED])}{more}",
            "nothing was written; name an empty folder, or move them away",
        )


def _content(file: Path) -> bytes | None:
    """What stands at a place. A folder, a pipe or a link in the place of a file is an OSError."""
    if not os.path.lexists(file):
        return None
    if not file.is_file():
        raise OSError(0, "not a plain file", str(file))
    return file.read_bytes()


def _ledger(store: Store) -> dict[str, dict[str, str]]:
    with suppress(OSError, ValueError, AttributeError):
        loaded = json.loads((store.derived / LEDGER).read_text("utf-8"))
        return {folder: dict(paths) for folder, paths in loaded.items()}
    return {}


def _keep(store: Store, known: Mapping[str, Mapping[str, str]]) -> None:
    """Note what was written. Where that fails, the next export asks for an empty folder."""
    with suppress(OSError), placed(store.derived, {LEDGER: json.dumps(known).encode()}):
        pass
