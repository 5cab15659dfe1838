"""Settings files of agents, as far as hooks stand in them: read strictly, faults told by place.

The one rule: what an agent would not read as it was meant, nobody changes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgit.errors import UsageError
from memgit.ports.json_text import InvalidJson, blanked, expect_keys_once, load

Json = dict[str, Any]


@dataclass(frozen=True)
class Hook:
    """One entry under `hooks`: its event, its place in the settings, and what it says."""

    event: str
    group: int
    number: int
    entry: Json


def hooks_of(settings: Json) -> Iterator[Hook]:
    """Every hook of a settings file; what has another shape is passed over, as agents do."""
    events = settings.get("hooks")
    for event, groups in events.items() if isinstance(events, dict) else ():
        for place, group in enumerate(groups if isinstance(groups, list) else ()):
            entries = group.get("hooks") if isinstance(group, dict) else None
            for number, entry in enumerate(entries if isinstance(entries, list) else ()):
                if isinstance(entry, dict):
                    yield Hook(event, place, number, entry)


@dataclass(frozen=True)
class Shape:
    """What a settings file must be like for its agent to read it.

    `sections` are places, such as `permissions.allow`, with the type of what stands there; one
    comes before what is in it. `hint` says what comes of a file that is otherwise.
    """

    sections: Mapping[str, type]
    hint: str
    takes_comments: bool = False

    def read(self, text: str, path: Path) -> Json:
        """The settings in a text. Raises UsageError that says where in `path` they are invalid."""
        try:
            text = blanked(text) if self.takes_comments else text
            settings = load(text)
            if not isinstance(settings, dict):
                raise self.refusal(f"{path}: {kind(settings)} where an object {{...}} should be")
            for place, wanted in self.sections.items():
                self._check(settings, place.split("."), wanted, path)
            for event, groups in settings.get("hooks", {}).items():
                if not isinstance(groups, list):
                    raise self.refusal(f"{path}: hooks.{event} is {kind(groups)}, not a list")
            expect_keys_once(text, ["hooks"])
        except InvalidJson as fault:
            raise self.refusal(f"{path}:{fault.line}:{fault.column}: {fault}") from None
        return settings

    def refusal(self, message: str) -> UsageError:
        """The fault to raise for such a file."""
        return UsageError(message, self.hint)

    def _check(self, settings: Json, place: list[str], wanted: type, path: Path) -> None:
        value: Any = settings
        for key in place:
            if key not in value:
                return
            value = value[key]
        if type(value) is not wanted:  # what is true is no number
            where = ".".join(place)
            raise self.refusal(f"{path}: {where} is {kind(value)}, not {_WANTED[wanted]}")


_WANTED = {dict: "an object", list: "a list", str: "a text", bool: "true or false",
           int: "a whole number"}  # fmt: skip


def kind(value: Any) -> str:
    """What a value is, in words."""
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")
