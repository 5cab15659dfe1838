"""Whether an answer fits the schema that it was asked for, through jsonschema.

The one rule: nobody is believed to have checked. Each door, also one whose service promises to keep
to a schema, hands its answers through here.
"""

from collections.abc import Mapping
from typing import Any

from memgit.ports.model.door import NOTHING, NoAnswer, Usage

LONGEST = 160
"""Characters of what is wrong that are told."""


def fitted(value: Any, schema: Mapping[str, Any], usage: Usage = NOTHING) -> Mapping[str, Any]:
    """The value, which is an object that fits the schema. Raises NoAnswer where it is none."""
    from jsonschema import Draft202012Validator

    if not isinstance(value, Mapping):
        raise NoAnswer("the model's answer is no object", "nothing was changed", usage)
    fault = next(Draft202012Validator(schema).iter_errors(value), None)
    if fault is None:
        return value
    place = "".join(f"[{part!r}]" for part in fault.absolute_path) or "the answer"
    told = " ".join(str(fault.message).split())
    told = told if len(told) <= LONGEST else f"{told[:LONGEST]}…"
    raise NoAnswer(
        f"the model's answer does not fit: {place}: {told}", "nothing was changed", usage
    )
