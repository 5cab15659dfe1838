"""Writing down which memories were looked at and held, for recall and `show` to say.

The one rule: the file is put in place whole, and tells only of contents that are there.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.prompt.checked import FILE, KEY, ROW, load


def keep(store: Store, held: Mapping[str, str | None]) -> None:
    """Note for each blob id the ISO time at which its claims held; None for one that does not.

    What is known of other contents stays as long as a memory has them.
    """
    known = _known(store)
    known.update({blob: _day(time) for blob, time in held.items() if time})
    for blob in (blob for blob, time in held.items() if not time):
        known.pop(blob[: 2 * KEY], None)
    present = {str(record["blob"])[: 2 * KEY] for record in Index(store).records()}
    rows = {blob[: 2 * KEY]: day for blob, day in known.items()}
    data = b"".join(
        bytes.fromhex(blob) + day.to_bytes(4, "little")
        for blob, day in sorted(rows.items())
        if blob in present
    )
    with suppress(OSError):  # it is told again after the next look
        store.derived.mkdir(parents=True, exist_ok=True)
        aside = store.derived / f"{FILE}.{os.getpid()}"
        aside.write_bytes(data)
        aside.replace(store.derived / FILE)


def blob_of(data: bytes, like: str) -> str:
    """The blob id that git gives a content, in a repository whose ids look like this one."""
    head = b"blob %d\0" % len(data)
    kind = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return kind(head + data).hexdigest()


def _known(store: Store) -> dict[str, int]:
    data = load(str(store.derived))
    return {
        data[at : at + KEY].hex(): int.from_bytes(data[at + KEY : at + ROW], "little")
        for at in range(0, len(data), ROW)
    }


def _day(time: str) -> int:
    moment = datetime.fromisoformat(time)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(moment.timestamp() // 86_400)
