"""How much evidence must speak for a memory in one store before it means anything.

The one rule: the measure is the store itself. Prompts that cannot belong to any one store are
asked of it when its index is built, and the gate wants more than nearly all of them reach.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memgit.prompt.gate import evidence
from memgit.prompt.query import segments
from memgit.prompt.ranking import Ranking, Rarity
from memgit.prompt.table import Table

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

LEAST = 3.0
"""The least that is taken for measured: in a store of a few memories, no prompt meets anything."""

USUAL = STRICTNESS * 8.0**POWER
"""The bar until a store is measured for the first time: that of the stores it was found on."""

GROWTH = 0.1
"""The share by which a store must have grown or shrunk to be measured again."""


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


def is_due(last: Mapping[str, Any], head: Mapping[str, Any]) -> bool:
    """Whether a store must be measured (again), from its last head and its next one."""
    before = last.get("measured_at", 0)
    same = all(last.get(key) == head[key] for key in ("version", "weights"))
    return not same or not before or abs(head["memories"] - before) >= GROWTH * before


def bar(table: Table) -> float:
    """The evidence that a memory of this table needs to be shown."""
    return STRICTNESS * float(max(LEAST, measured(table)) ** POWER)


def measured(table: Table) -> float:
    """What nearly all of anyone's prompts stay below, in the script where that is most."""
    rarity = Rarity()
    levels: dict[bool, list[float]] = {}
    for language, prompts in typed_by_anyone().items():
        reached = levels.setdefault(language in EAST, [])
        reached += [_most(table, prompt, rarity) for prompt in prompts]
    return max(map(_below, levels.values()))


def _most(table: Table, prompt: str, rarity: Rarity) -> float:
    ranking = Ranking(table, segments(prompt), rarity)
    return max((evidence(ranking, candidate) for candidate in ranking.best[:2]), default=0.0)


def _below(levels: Sequence[float]) -> float:
    """The quantile, between neighbours."""
    ordered = sorted(levels)
    place = NEARLY_ALL * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
