"""Gates on who speaks in a memory: orders from elsewhere, and words put into the user's mouth.

The one rule: what was not written by the person is data. It may tell what somebody said; it may not
speak to the agent, and it may state a rule of the person's only with the person's own words.
"""

import re
from collections.abc import Iterator, Mapping

from memgit.domain.gates.patterns import Pattern
from memgit.domain.gates.scope import File, Scope
from memgit.domain.memory import STANDING
from memgit.errors import Fault

USER, AGENT = "user", "agent"
BROUGHT = ("import",)
"""Origins of what a person took over from elsewhere: theirs to vouch for, but not their words."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_QUOTED = Pattern(r"\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|(?<!\w)'[^'\n]*'(?!\w)")

_MARKUP = Pattern(
    r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|<\s*/?\s*(?:system|assistant|user|human|developer)"
    r"(?:[-_](?:reminder|prompt|message|instructions?))?\s*>"
    r"|<\s*/?\s*(?:antml:)?(?:function_calls?|function_results?|invoke|tool_use|tool_calls?"
    r"|tool_result|parameter)\b"
    r"|\"type\"\s*:\s*\"tool_(?:use|result)\"",
    re.IGNORECASE,
)
_OVERRIDE = Pattern(
    r"(?i)\b(?:ignore|disregard|forget|override|bypass)\b(?:\W+\w+){0,4}?\W+"
    r"(?:previous|prior|above|earlier|preceding|existing|other|your|all"
    r"|system)\b(?:\W+\w+){0,3}?\W+"
    r"(?:instructions?|rules?|prompts?|guidelines?|directions?|memor(?:y|ies)|constraints?)\b"
    r"|\b(?:ignore|disregard|forget)\b(?:\W+\w+){0,2}?\W+(?:instructions?|rules?|prompts?"
    r"|guidelines?)"
    r"\W+(?:above|before|so far|you were given)\b"
    r"|(?:以前|これまで|今まで|上記|先|前|すべて|全て|他|システム)の?.{0,10}?(?:指示|命令|ルール|規則|プロンプト|記憶|制約)"
    r".{0,6}?(?:無視|忘れ|破棄|従わ)"
)
_CONCEAL = Pattern(
    r"(?i)\b(?:do not|don't|never|without)\b(?:\W+\w+){0,2}?\W+"
    r"(?:tell|telling|inform|informing|mention|mentioning|reveal|notify|notifying|ask|asking)\w*"
    r"(?:\W+\w+){0,4}?\W+(?:the )?(?:user|human|operator)\b"
    r"|(?:ユーザー|利用者|使用者|人間)(?:に|へ|には).{0,12}?(?:言わ|伝え|知らせ|教え|見せ|報告せ|話さ|告げ)(?:ない|ず|るな)"
)
_IDENTITY = Pattern(
    r"(?i)\byou are (?:now|no longer)\b|\b(?:new|updated) (?:system )?(?:instructions?|prompt)\s*:"
    r"|(?:あなた|君|お前)は(?:今から|これから|もう)|新しい(?:指示|命令|システムプロンプト)\s*[:：]"
)
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_COMMAND = Pattern(
    r"(?i)(?:\A|[.!;:\n])\s*(?:please\s+|always\s+|never\s+|now\s+)?(?:run|execute|send|post"
    r"|upload|"
    r"fetch|curl|delete|install|ignore|disregard|forget|reply|respond|say|call|use|do not|don't)\b"
    r"|\byou (?:must|should|shall|have to)\b|\b(?:agents?|assistant|claude|ai"
    r"|model)\b[^.]*\b(?:must|should|shall)\b"
    r"|(?:してください|しなさい|すること|せよ|しろ|実行|送信|無視)"
)


def instruction(scope: Scope) -> Iterator[Fault]:
    """Text that speaks to the agent, in a memory that is not the user's own."""
    for file in scope.files:
        if origin_of(file) != USER:
            yield from _orders(file)


def provenance(scope: Scope) -> Iterator[Fault]:
    """Rules and facts about the user that a pass wrote without words of the user's."""
    for file in scope.files:
        memory = file.memory
        # What Claude Code's own tool wrote names no origin, and is not the work of a pass.
        is_of_a_pass = "origin" in memory.metadata and origin_of(file) not in (USER, *BROUGHT)
        if memory.type not in STANDING or not is_of_a_pass:
            continue
        if not any(_quotes_user(source) for source in _sources(file)):
            text = f"type {memory.type} from {origin_of(file)}, and no source quotes a user turn"
            yield Fault(file.path, file.line_of("sources"), "provenance", text)


def origin_of(file: File) -> str:
    """Where a memory says it comes from. One that does not was written by hand, or in a session."""
    metadata = file.memory.metadata
    return str(metadata.get("origin") or (AGENT if "originSessionId" in metadata else USER)).strip()


def _sources(file: File) -> list[object]:
    given = file.memory.metadata.get("sources")
    return list(given) if isinstance(given, list | tuple) else [given] if given else []


def _quotes_user(source: object) -> bool:
    """Whether a source holds words, the turn they are from, and no other speaker than the user."""
    if not isinstance(source, Mapping):
        return False
    by = str(source.get("role") or source.get("by") or USER)
    placed = source.get("session") or source.get("turn") is not None
    return bool(str(source.get("quote") or "").strip() and placed) and by == USER


def _orders(file: File) -> Iterator[Fault]:
    lines = [f"{file.memory.name}. {file.memory.description}"]
    first = file.line_of("description") if file.memory.description else file.line_of("name")
    told = {**dict(enumerate(_plain(file))), -1: lines[0]}
    for number, line in told.items():
        what = order(line)
        if what:
            at = first if number < 0 else file.body_line + number
            yield Fault(file.path, at, "instruction", what)
    for comment in _COMMENT.finditer("\n".join(_plain(file))):
        if _COMMAND.search(comment[1].strip()):
            at = file.body_line + file.memory.body.count("\n", 0, comment.start())
            yield Fault(file.path, at, "instruction", "a comment that gives an order")


def order(line: str) -> str:
    """What in a line speaks to the agent; "" for nothing."""
    if _MARKUP.search(line):
        return "markup that a host wraps around what it says or calls"
    bare = _QUOTED.sub(" ", line)
    if _OVERRIDE.search(bare):
        return "asks to set other instructions aside"
    if _CONCEAL.search(bare):
        return "asks to keep something from the user"
    return "tells the agent who it is" if _IDENTITY.search(bare) else ""


def _plain(file: File) -> Iterator[str]:
    """The lines of the body, each as long as it was, with spaces where there is code."""
    fence = ""
    for _, line in file.body:
        opening = _FENCE.match(line)
        if fence or opening:
            if opening and (not fence or opening[1].startswith(fence)):
                fence = "" if fence else opening[1]
            yield " " * len(line)
        else:
            yield _CODE.sub(lambda code: " " * len(code[0]), line)
