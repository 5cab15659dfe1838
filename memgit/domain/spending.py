"""What the models are asked and what it takes: a ledger, and a cap for each day.

The one rule: a call is written down before it is made, with the most that it may take, and once
more when it has ended; so that a process that is killed in the middle has spent, not saved.
"""

import json
import os
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from memgit.domain import trust
from memgit.domain.store import Store
from memgit.errors import MemgitError
from memgit.ports.lock import hold
from memgit.ports.model.choosing import PAID, choose
from memgit.ports.model.door import NOTHING, Answer, LimitReached, Model, NoAnswer, Request, Usage
from memgit.ports.model.many import Batching

FOLDER = "spending"

Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Call:
    """One question to a model. `failed` says why it had no answer; "" where it had one.

    `ended` is False where nobody came back to tell: it then counts for the most it could take.
    """

    id: str
    at: datetime
    task: str
    about: str
    door: str
    usage: Usage
    failed: str = ""
    ended: bool = True

    @property
    def day(self) -> date:
        """The person's own day, by the zone of this machine."""
        return self.at.astimezone().date()


@dataclass(frozen=True)
class Spent:
    """What calls took together."""

    calls: int = 0
    failed: int = 0
    usage: Usage = NOTHING

    def plus(self, call: Call) -> "Spent":
        """One call more."""
        mine, more = self.usage, call.usage
        usage = Usage(
            mine.input + more.input, mine.output + more.output, mine.cached + more.cached,
            mine.dollars + more.dollars,
        )  # fmt: skip
        return Spent(self.calls + 1, self.failed + bool(call.failed or not call.ended), usage)


class Ledger:
    """The calls of one store, from all of its work trees: a file a month, only ever added to."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.folder = store.repository.common_dir / "memgit" / FOLDER

    def calls(self, since: date | None = None) -> list[Call]:
        """Every call from a day on, in order. A line that was cut short is passed over."""
        found: dict[str, Call] = {}
        for row in self._rows(since):
            with suppress(KeyError, TypeError, ValueError):
                if row["event"] == "asked":
                    found[row["id"]] = _call(row)
                elif call := found.get(row["id"]):
                    usage = Usage.of(row["usage"])
                    found[row["id"]] = replace(
                        call, usage=usage, failed=str(row["failed"]), ended=True
                    )
        return [call for call in found.values() if since is None or call.day >= since]

    def spent(self, day: date) -> Spent:
        """What a day took so far."""
        total = Spent()
        for call in self.calls(day):
            total = total.plus(call) if call.day == day else total
        return total

    def open(self, requests: Sequence[Request], model: Model, now: datetime) -> list[str]:
        """Write down that these are asked now; their ids. Raises LimitReached at the cap."""
        with hold(self.folder.with_name("spending.lock"), "the ledger"):
            self._expect_room(requests, now)
            ids = [uuid.uuid4().hex[:12] for _ in requests]
            self._add(now, [
                {"event": "asked", "id": id_, "at": now.astimezone(UTC).isoformat(),
                 "task": request.task, "about": request.about, "door": model.name,
                 "usage": vars(_most(request))}
                for id_, request in zip(ids, requests, strict=True)
            ])  # fmt: skip
        return ids

    def close(self, ids: Mapping[str, tuple[Usage, str]], now: datetime) -> None:
        """Write down how calls ended: what they took, and why they failed."""
        rows = [
            {"event": "ended", "id": id_, "usage": vars(usage), "failed": failed}
            for id_, (usage, failed) in ids.items()
        ]
        self._add(now, rows)

    def _expect_room(self, requests: Sequence[Request], now: datetime) -> None:
        cap = self.store.settings.model
        spent = self.spent(now.astimezone().date())
        most = sum(_most(request).tokens for request in requests)
        reached = ""
        if spent.calls + len(requests) > cap.calls_per_day:
            reached = f"{spent.calls} of {cap.calls_per_day} calls are made"
        elif spent.usage.tokens + most > cap.tokens_per_day:
            reached = (
                f"{spent.usage.tokens:,} of {cap.tokens_per_day:,} tokens are spent, "
                f"and the next call may take {most:,}"
            )
        if reached:
            raise LimitReached(
                f"the day's cap is reached: {reached}",
                "passes go on tomorrow; raise calls_per_day or tokens_per_day under [model] in "
                "memgit.toml to go on now, and see `memgit cost`",
            )

    def _add(self, now: datetime, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add lines and wait for the disk: what a crash leaves is whole lines, or half of one."""
        file = self.folder / f"{now.astimezone(UTC):%Y-%m}.jsonl"
        self.folder.mkdir(parents=True, exist_ok=True)
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        opened = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if not _ends_a_line(opened):
                data = b"\n" + data
            os.write(opened, data)
            os.fsync(opened)
        finally:
            os.close(opened)

    def _rows(self, since: date | None) -> Iterator[Mapping[str, Any]]:
        # A day of a zone may start in the month before, and a call may end in the one after.
        first = f"{since - timedelta(days=1):%Y-%m}" if since else ""
        for file in sorted(self.folder.glob("*.jsonl")):
            if file.stem < first:
                continue
            for line in file.read_bytes().splitlines():
                with suppress(ValueError, RecursionError):
                    if isinstance(row := json.loads(line), dict):
                        yield row


@dataclass(frozen=True)
class Metered:
    """A model whose every call is written down, and which says no at the cap."""

    model: Model
    ledger: Ledger
    clock: Clock

    @property
    def name(self) -> str:
        """The door's own name."""
        return self.model.name

    def ask(self, request: Request) -> Answer:
        """See `Model`; the cap is a LimitReached."""
        (id_,) = self.ledger.open([request], self.model, self.clock())
        usage, failed = NOTHING, "stopped"
        try:
            answer = self.model.ask(request)
            usage, failed = answer.usage, ""
            return answer
        except NoAnswer as fault:
            usage, failed = fault.usage, str(fault)
            raise
        except MemgitError as fault:
            failed = str(fault)
            raise
        finally:
            if failed != "stopped":  # else it counts for the most that it could take
                self.ledger.close({id_: (usage, failed)}, self.clock())

    def ask_many(
        self, requests: Sequence[Request], patience: float
    ) -> Sequence[Answer | NoAnswer] | None:
        """See `Batching`: where the model takes batches, and the settings want them."""
        if not (isinstance(self.model, Batching) and self.ledger.store.settings.model.batches):
            return None
        ids = self.ledger.open(requests, self.model, self.clock())
        told = self.model.ask_many(requests, patience)
        if told is not None:
            ends = {
                id_: (one.usage, str(one) if isinstance(one, NoAnswer) else "")
                for id_, one in zip(ids, told, strict=True)
            }
            self.ledger.close(ends, self.clock())
        return told


def open_model(store: Store, clock: Clock = lambda: datetime.now(UTC)) -> Metered:
    """The model of a store's settings, capped. Raises LimitReached where its door does not open.

    The settings come along with a clone and with every pull: what they would have the person's key
    pay for needs the person's word on this machine.
    """
    store.expect_known_format()
    chosen = store.settings.model
    if chosen.door == PAID and (why := trust.fault(store)):
        raise LimitReached(
            f'door = "{PAID}" in memgit.toml is paid by your key: {why}',
            "run `memgit trust` to allow it, or set another door under [model]",
        )
    model = choose(chosen.door, chosen.name, store.root / chosen.answers)
    return Metered(model, Ledger(store), clock)


def _most(request: Request) -> Usage:
    """The most that a call may take: a token for three bytes, and the longest answer."""
    given = len(request.instructions.encode()) + len(request.data.encode("utf-8", "replace"))
    return Usage(input=given // 3, output=request.longest)


def _call(row: Mapping[str, Any]) -> Call:
    return Call(
        row["id"], datetime.fromisoformat(row["at"]), str(row["task"]), str(row["about"]),
        str(row["door"]), Usage.of(row["usage"]), ended=False,
    )  # fmt: skip


def _ends_a_line(opened: int) -> bool:
    """Whether a file is empty, or its last line is whole."""
    size = os.fstat(opened).st_size
    return not size or os.pread(opened, 1, size - 1) == b"\n"
