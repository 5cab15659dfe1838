"""How much evidence must speak for a memory in one store before it means anything.

The one rule: the measure is the store itself. Prompts that cannot belong to any one store are
asked of it when its index is built, and the gate wants more than nearly all of them reach.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memgit.prompt.gate import evidence
from memgit.prompt.place import content
from memgit.prompt.query import segments
from memgit.prompt.ranking import Ranking, Rarity
from memgit.prompt.table import Table, checksum

PROMPTS = Path(__file__).with_name("anyones-prompts.txt")
"""Prompts that any developer might type: one a line, under a heading line `# language: what`."""

NEARLY_ALL = 0.95
"""The share of the prompts in one script that must stay below what is measured."""

EAST = ("ja", "zh", "ko")
"""Languages without spaces or in Hangul: a store in one script is silent to prompts in another,
so each script is measured for itself."""

POWER = 1 / 3
"""The power of what is measured that the bar goes by. Less than 1, because much of what one store
shows above another is chance; between 0.3 and 1 it hardly mattered on real stores."""

STRICTNESS = 4.0
"""The bar over that power: between silence for small talk and an answer for a real question."""

LEAST = 6.0
"""The least that is taken for measured: in a store of a few memories, no prompt meets anything."""

UNREST = 3.0
"""What one memory must reach itself, for prompts of every kind, to be called restless: half of what
a whole store may show. A memory that is stuffed with words does; on real stores hardly any did."""

FIRST = 2
"""Memories of a prompt that are measured: as many as it would be shown."""

UNMEASURED: Mapping[str, Any] = {
    "bar": STRICTNESS * 8.0**POWER,
    "restless": {},
    "log": "",
    "measured_at": 0,
}
"""What a head says until its store is measured: the bar of the stores that it was found on."""

LOGGED = 500
"""Prompts of the person that are asked, the latest ones; twice as many take twice as long."""

FEWEST = 20
"""Prompts below which a log says nothing about what is usual."""

OFTEN = 0.1
"""The share of the person's prompts from which a memory that they bring up is taken for usual. A
project's main subject stays below it on real stores."""

USUAL = 2.0
"""How many bars more a memory would need that every prompt of the person brings up. It is the
person's own stock phrase, or the project's name, that did it."""

GROWTH = 0.1
"""The share by which a store must have grown or shrunk, or of which must have been changed, to be
measured again."""

SMALL = 100
"""Memories up to which a store is measured whenever it changes: one more can be a tenth of what it
says, and measuring takes no longer than the commit itself."""


def typed_by_anyone() -> dict[str, list[str]]:
    """Language → prompts of which none belongs to any one store."""
    found: dict[str, list[str]] = {}
    language = ""
    for line in PROMPTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            language = line[1:].partition(":")[0].strip()
        elif line:
            found.setdefault(language, []).append(line)
    return found


class Log:
    """Prompts that the person typed, as `<derived>/prompts.jsonl` has them: one object a line, its
    `text` a prompt. It is local and may be missing; what cannot be read is left out.
    """

    def __init__(self, path: Path) -> None:
        try:
            data = content(str(path))
        except OSError:
            data = b""
        self.sum = checksum(data).decode("ascii") if data else ""
        lines = data.decode("utf-8", "replace").splitlines()[-LOGGED:]
        self.prompts = list(dict.fromkeys(text for line in lines if (text := _text(line))))


def _text(line: str) -> str:
    try:
        return str(json.loads(line)["text"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def is_due(last: Mapping[str, Any], head: Mapping[str, Any], log: Log) -> bool:
    """Whether a store must be measured (again), from its last head, its next one, and the log.

    The next head's `moved` is how many memories have changed since it was measured.
    """
    before, now = last.get("measured_at", 0), head["memories"]
    same = all(last.get(key) == head[key] for key in ("version", "weights"))
    same = same and last.get("log") == log.sum
    moved = max(abs(now - before), head.get("moved", 0))
    return not same or now <= SMALL or moved >= GROWTH * before


def measure(table: Table, log: Log) -> dict[str, Any]:
    """What the table's head is to say: `bar`, the evidence that a memory needs to be shown, and
    `restless`, how much more those need that come up for prompts of every kind, by their blob.
    """
    rarity = Rarity()
    reached: dict[bool, list[dict[int, float]]] = {}
    for language, prompts in typed_by_anyone().items():
        reached.setdefault(language in EAST, []).extend(
            _reached(table, prompt, rarity) for prompt in prompts
        )
    unrest: dict[int, float] = {}
    for rows in reached.values():
        for memory in {memory for row in rows for memory in row}:
            own = _below([row.get(memory, 0.0) for row in rows])
            unrest[memory] = max(own, unrest.get(memory, 0.0))
    restless = {memory: level for memory, level in unrest.items() if level >= UNREST}
    most = max(
        _below([max((v for m, v in row.items() if m not in restless), default=0.0) for row in rows])
        for rows in reached.values()
    )
    bar = STRICTNESS * float(max(LEAST, most) ** POWER)
    for memory, share in _usual(table, log.prompts, bar, rarity).items():
        restless[memory] = max(restless.get(memory, 0.0), USUAL * share * bar)
    return {
        "bar": bar,
        "restless": {table.record(memory)["blob"]: level for memory, level in restless.items()},
        "log": log.sum,
    }


def _usual(table: Table, prompts: list[str], bar: float, rarity: Rarity) -> dict[int, float]:
    """Memory → the share of the person's prompts that bring it up, once not counted."""
    brought = Counter(
        memory
        for prompt in prompts
        for memory, level in _reached(table, prompt, rarity).items()
        if level >= bar
    )
    return {
        memory: (count - 1) / len(prompts)
        for memory, count in brought.items()
        if len(prompts) >= FEWEST and count - 1 >= OFTEN * len(prompts)
    }


def _reached(table: Table, prompt: str, rarity: Rarity) -> dict[int, float]:
    """The evidence for the memories that come first for a prompt."""
    ranking = Ranking(table, segments(prompt), rarity)
    return {best.memory: evidence(ranking, best) for best in ranking.best[:FIRST]}


def _below(levels: Sequence[float]) -> float:
    """The quantile, between neighbours."""
    ordered = sorted(levels)
    place = NEARLY_ALL * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
