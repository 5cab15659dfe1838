"""Whose words stand in a record: a person's, the agent's, a tool's, or the host's.

The one rule: in doubt they are not the person's. What the host wraps, pastes or makes up where a
person's text stands is never taken for something that a person typed.
"""

from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]

WRAPPERS = (
    "<command-message>",
    "<command-name>",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<system-reminder>",
    "<ide_",
    "[Request interrupted by user",
    "Caveat:",
    "This session is being continued from a previous conversation",
    "Implement the following plan:\n\n#",
)
"""How text starts that the agent put where a person's text stands."""

NOT_TYPED = ("isMeta", "isSidechain", "isCompactSummary", "teamName", "planContent")
"""Flags of user records that no person typed."""

OURS = "sdk-cli"
"""The entrypoint of a session that a program started: our own passes among them."""

TURNED_DOWN = "The user doesn't want to proceed with this tool use."
SAID_INSTEAD = "the user said:\n"
"""How the host tells the agent what a person typed while turning a call down."""

_TAGS = ("system-reminder", "user-prompt-submit-hook")


def typed(data: Data) -> str:
    """What a person typed with this record; "" where it is no person's prompt."""
    if data.get("type") != "user" or any(data.get(flag) for flag in NOT_TYPED):
        return ""
    if data.get("entrypoint") == OURS or not _is_persons(data):
        return ""
    found = blocks(data)
    if any(block.get("type") == "tool_result" for block in found):
        return ""
    return plain_words(texts(found))


def _is_persons(data: Data) -> bool:
    """Whether a prompt came from a person, by what newer agents say of it; older ones say nothing.

    One that was typed while the agent was at work, and then waited, is `queued`.
    """
    origin, source = data.get("origin"), data.get("promptSource", "typed")
    if isinstance(origin, dict):
        return origin.get("kind") == "human" and source != "sdk"
    return source in ("typed", "queued")


def remark(data: Data) -> str:
    """What a person typed while the agent was at work, where this record holds it; else "".

    That is a prompt that waited and was handed over within a turn, or the reason given with a call
    that was turned down.
    """
    if data.get("entrypoint") == OURS or data.get("isSidechain"):
        return ""
    if data.get("type") == "attachment":
        attachment = data.get("attachment")
        if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
            return ""
        if attachment.get("commandMode", "prompt") != "prompt" or not _is_persons(attachment):
            return ""
        return plain_words(texts(as_blocks(attachment.get("prompt"))))
    found = (turned_down(block) for block in blocks(data) if data.get("type") == "user")
    return "\n".join(filter(None, found))


def turned_down(block: Data) -> str:
    """What a person typed as they turned a call down; "" where they typed nothing."""
    if block.get("type") != "tool_result" or not block.get("is_error"):
        return ""
    text = result_text(block)
    if not text.startswith(TURNED_DOWN) or SAID_INSTEAD not in text:
        return ""
    return text.partition(SAID_INSTEAD)[2].strip()


def spoken(data: Data) -> str:
    """What the agent said to the person with this record; "" where it said nothing."""
    if data.get("type") != "assistant" or data.get("isSidechain"):
        return ""
    if data.get("isApiErrorMessage"):
        return ""
    return "\n".join(text for text in map(str.strip, texts(blocks(data))) if text)


def given(data: Data) -> list[str]:
    """The contexts that hooks put before the agent with this record, memories of ours among them"""
    attachment = data.get("attachment")
    if data.get("type") != "attachment" or not isinstance(attachment, dict):
        return []
    if attachment.get("type") not in ("hook_additional_context", "hook_success"):
        return []
    content = attachment.get("content")
    found = content if isinstance(content, list) else [content]
    return [text for text in found if isinstance(text, str) and text.strip()]


def blocks(data: Data) -> list[Data]:
    """The content of a record's message as blocks."""
    message = data.get("message")
    return as_blocks(message.get("content") if isinstance(message, dict) else None)


def as_blocks(content: Any) -> list[Data]:
    """Content as blocks; a plain string is one block of text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def texts(found: list[Data]) -> list[str]:
    """The texts among blocks."""
    return [string(block, "text") for block in found if block.get("type") == "text"]


def result_text(block: Data) -> str:
    """What a tool answered, as text; images and the like are left out."""
    return "\n".join(texts(as_blocks(block.get("content"))))


def string(data: Data, key: str) -> str:
    """The text under a key; "" where there is none."""
    value = data.get(key)
    return value if isinstance(value, str) else ""


def plain_words(found: list[str]) -> str:
    """A person's own text: without what the host added to it, or wrapped in place of it."""
    kept = map(_without_additions, found)
    return "\n".join(text for text in kept if text and not text.startswith(WRAPPERS))


def _without_additions(text: str) -> str:
    """Older agents added their reminders, and what hooks said, to the person's own text."""
    for tag in _TAGS:
        while f"<{tag}>" in text:
            before, _, rest = text.partition(f"<{tag}>")
            _, closed, after = rest.partition(f"</{tag}>")
            text = before + after if closed else before
    return text.strip()
