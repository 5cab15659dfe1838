"""Values that a text states, and whether words bear them out.

The one rule: a number, a name in code or a path that stands in no quoted words was made up, or was
worked out; and what was worked out is not kept in place of what it came from.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import combinations

from memgit.domain.gates.patterns import Pattern

_CODE = re.compile(r"`([^`\n]+)`")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])v?(\d+(?:[.:/-]\d+)*)")
_NAMED = Pattern(
    r"(?<![\w/.-])(?:[\w.-]*/[\w./-]*\w|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+"
    r"|[\w-]+\.(?:py|md|toml|ya?ml|json|ts|tsx|js|go|rs|sh|sql|cfg|ini|lock|txt))(?![\w/])",
    re.ASCII,  # Japanese stands beside a name without a space
)
_LIST = re.compile(r"(?m)^\s*(?:\d+[.)]|[-*+])\s+")
_NOISE = 1e-6


def values(text: str) -> set[str]:
    """Numbers, names in code, paths and identifiers of a text, each as it is compared."""
    bare = _LIST.sub("", unicodedata.normalize("NFKC", text))
    found = {found[1] for found in _NUMBER.finditer(_without_commas(bare))}
    for pattern in (_CODE, _NAMED):
        for match in pattern.finditer(bare):
            found.add((match[1] if pattern is _CODE else match[0]).strip().casefold())
    return {value for value in found if value}


def unborne(text: str, quoted: Iterable[str]) -> list[str]:
    """The values of a text that none of the quoted words state."""
    said = _without_commas(unicodedata.normalize("NFKC", "\n".join(quoted))).casefold()
    return sorted(value for value in values(text) if not _states(said, value))


def is_worked_out(value: str, quoted: Iterable[str]) -> bool:
    """Whether a number can be worked out from those quoted together: a sum, mean or count of all,
    or the sum, difference, product, ratio or percentage of two.
    """
    try:
        wanted = float(value)
    except ValueError:
        return False
    return any(_near(wanted, result, value) for words in quoted for result in _results(words))


def _results(words: str) -> Iterator[float]:
    plain = _without_commas(unicodedata.normalize("NFKC", words))
    numbers = [float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)", plain)][:24]
    if len(numbers) < 2:
        return
    yield sum(numbers)
    yield sum(numbers) / len(numbers)
    yield float(len(numbers))
    for one, other in combinations(numbers, 2):
        yield from (one + other, abs(one - other), one * other)
        for part, whole in ((one, other), (other, one)):
            if whole:
                yield from (part / whole, 100 * part / whole, 100 * (part - whole) / whole)


def _near(wanted: float, result: float, shown: str) -> bool:
    step = 10.0 ** -len(shown.partition(".")[2]) / 2
    return abs(abs(wanted) - abs(result)) <= step + _NOISE


def _states(said: str, value: str) -> bool:
    """Whether a value stands in what was said, and not as a part of a longer one."""
    at = said.find(value)
    while at >= 0:
        before, after = said[at - 1 : at], said[at + len(value) : at + len(value) + 2]
        digits = value[0].isdigit() and (before.isdigit() or before == ".")
        more = value[-1].isdigit() and (
            after[:1].isdigit() or (after[:1] == "." and after[1:].isdigit())
        )
        if not digits and not more:
            return True
        at = said.find(value, at + 1)
    return False


def _without_commas(text: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
