"""Whether an answer fits the schema that it was asked for, through jsonschema.

The one rule: nobody is believed to have checked. Each door, also one whose service promises to keep
to a schema, hands its answers through here.
"""

from collections.abc import Mapping
from typing import Any

from memgit.ports.model.door import NOTHING, NoAnswer, Usage

LONGEST = 160
"""Characters of what is wrong that are told."""


MOST = 10**15
"""The largest number of an answer; a larger one is nobody's count, and no float holds it whole."""


def _plain(value: Any) -> Any:
    """The value with whole numbers as such: JSON's 1.0 is an integer to a schema, and no index."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if not -MOST <= value <= MOST:
        raise ValueError("a number is too large")
    return int(value) if value == int(value) else value


def fitted(value: Any, schema: Mapping[str, Any], usage: Usage = NOTHING) -> Mapping[str, Any]:
    """The value, which is an object that fits the schema. Raises NoAnswer where it is none."""
    from jsonschema import Draft202012Validator

    if not isinstance(value, Mapping):
        raise NoAnswer("the model's answer is no object", "nothing was changed", usage)
    try:
        said: dict[str, Any] = {name: _plain(part) for name, part in value.items()}
    except (ValueError, RecursionError) as beyond:
        raise NoAnswer(
            f"the model's answer does not fit: {beyond}", "nothing was changed", usage
        ) from None
    fault = next(Draft202012Validator(schema).iter_errors(said), None)
    if fault is None:
        return said
    place = "".join(f"[{part!r}]" for part in fault.absolute_path) or "the answer"
    told = " ".join(str(fault.message).split())
    told = told if len(told) <= LONGEST else f"{told[:LONGEST]}…"
    raise NoAnswer(
        f"the model's answer does not fit: {place}: {told}", "nothing was changed", usage
    )
