"""Gates on what a memory asserts: its source, what its own parts give, and how much was kept.

The one rule: a conclusion whose source is gone cannot be corrected by anybody, so it is told while
the source is still at hand. What a person said is a source.
"""

import re
from collections.abc import Iterator, Mapping

from memgit.domain.gates.certificate import (
    DIFFERS,
    MISSING,
    PARTIAL,
    Verdict,
    certificate,
)
from memgit.domain.gates.origin import USER, origin_of
from memgit.domain.gates.patterns import Pattern
from memgit.domain.gates.scope import File, Scope
from memgit.errors import Fault

_VALUE = Pattern(
    r"(?<![\w./#@-])(?:v?\d+\.\d+(?:\.\d+)+(?:-[\w.]+)?|v\d+(?:\.\d+)+|\d{4}-\d{2}-\d{2}"
    r"|\d{1,2}:\d{2}"
    r"|[$€£¥]\s?\d[\d,.]*|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?\s?[%％]|\d+(?:\.\d+)?\s?(?:ms"
    r"|s|sec|seconds?|min|minutes?|hours?|"
    r"days?|weeks?|[KMGT]i?B|kb|mb|gb|rows?|users?|requests?|files?|tests?|items?|lines?|times"
    r"|tokens?)\b"
    r"|\d+(?:\.\d+)?(?:秒|分|時間|日間|件|個|名|人|回|円|行|台|パーセント|席|便)|\d{4}年\d{1,2}月(?:\d{1,2}日)?"
    r"|\d{2,}(?:\.\d+)?)(?![\w/-]|\.\d)"
    r"|(?i:\bports?\s+\d{2,5}|ポート\s*\d{2,5}|\bversion\s+\d[\w.]*|バージョン\s*\d[\w.]*|\btotal(?:s"
    r"|ling)?\D{0,12}\d+|合計\D{0,6}\d+)"
)
_SOURCED = Pattern(
    r"`[^`]+`|\[\[[^\]]{1,2000}\]\]|\]\([^)]{1,2000}\)|https?://|\"[^\"]{3,}\"|“[^”]{1,2000}”"
    r"|「[^」]{1,2000}」|『[^』]{1,2000}』"
    r"|(?<![\w/])/?[\w.-]{1,255}+/[./-]{0,9}\w|\w-{0,9}\.(?:py|md|toml|ya?ml|json|ts|js|go"
    r"|rs|sh|sql|csv|ini|cfg|conf|lock|txt|ps1|psm1)\b"
    r"|(?<!\w)#\d+|\b(?:PR|pull request|issue|ADR|RFC|commit)[ -]#?[0-9a-f]+|\b[0-9a-f]{7,40}\b"
    r"|(?i:\bsource\s*:|\baccording to\b|出典|によると|によれば)"
)
"""Whether there is a source, whatever its length: a line is as long as somebody pasted it, and is
not read again from each of its letters on.
"""

_ABOUT_ITSELF = Pattern(
    r"\s*(?:#{1,6}\s|(?:[-*+>]\s+)?[*_]*(?:last )?(?:date|created|updated|modified|session"
    r"|recorded|status|"
    r"日付|作成|更新|記録)[^:：]{0,12}[:：])", re.IGNORECASE,
)  # fmt: skip
"""A heading, or a line that says when the memory was written."""

_LINE_MARK = re.compile(r"\A\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")

_CUT = Pattern(
    r"(?i)[(\[（]\s*(?:and\s+)?\+?\d[\d,]*\s+(?:more|others?|omitted|lines? (?:omitted|more"
    r"|truncated|cut))\b[^)\]）]{0,30}[)\]）]"
    r"|(?:\.\.\.|…)\s*(?:and\s+)?\+?\d[\d,]*\s+(?:more|others|lines)\b|(?:\.\.\."
    r"|…)\s*[\[(]?truncated|[\[(<](?:output |text )?(?:truncated|snip(?:ped)?|omitted"
    r"|excerpt)[\])>]"
    r"|\.{3}\s*\(\d[\d,]* (?:chars|characters|lines|tokens)"
    r"|(?<![ァ-ヶ一-龠])(?:ほか|他)\s*\d+\s*(?:件|行|個|名|項目)|以下(?:省略|略)|（(?:中略|後略|前略|省略|抜粋)）|[（(【\[]抜粋"
    r"|(?:から|より)(?:の)?抜粋"
)
_MAY_BE_CUT = re.compile(r"(?i)more|other|lines|\.\.\.|…|trunc|snip|omit|excerpt|抜粋|略|他|ほか")
_KEPT = re.compile(r"\s*\d[\d,]*\s+of\s+\d[\d,]*(?:\s+\w+)?\s*\Z")


def verdicts(file: File) -> list[Verdict]:
    """What is to be said of the values that a memory asserts, by line of its body: each that its
    parts give or not, and each that has neither parts nor a source beside it.
    """
    found = certificate(file.memory.body)
    judged = {one.line for one in found}
    for line, value in _unsourced(file, judged):
        found.append(Verdict(line, "value", value))
    return sorted(found, key=lambda one: one.line)


def brittle(scope: Scope) -> Iterator[Fault]:
    """Numbers, versions, dates and ports that nothing beside them bears out, or only a part."""
    for file in scope.files:
        metadata = file.memory.metadata
        if origin_of(file) == USER or any(map(metadata.get, ("sources", "claims"))):
            continue
        loose = [one for one in verdicts(file) if one.verdict == MISSING
                 or (one.verdict == PARTIAL and not _is_told(file, one.line))]  # fmt: skip
        if loose:
            one = loose[0]
            more = f", and {len(loose) - 1} more" if len(loose) > 1 else ""
            why = f"{one.kept} of its parts" if one.kept else "neither source nor parts"
            line = file.body_line + one.line - 1
            yield Fault(file.path, line, "brittle", f"{one.stated}{more}: {why}")


def differs(scope: Scope) -> Iterator[Fault]:
    """Totals, counts, ratios, dates and choices that their own parts do not give."""
    for file in scope.files:
        for one in certificate(file.memory.body):
            if one.verdict == DIFFERS:
                line = file.body_line + one.line - 1
                text = f"{one.kind} says {one.stated}, its parts give {one.computed}"
                yield Fault(file.path, line, "differs", text)


def kept(scope: Scope) -> Iterator[Fault]:
    """Signs that a source was cut, in a memory that does not say how much of it is left."""
    for file in scope.files:
        told = file.memory.metadata.get("kept")
        if told is not None and not _KEPT.match(str(told)):
            yield Fault(file.path, file.line_of("kept"), "kept", f"{told!r} is not `k of n`")
        if told is not None:
            continue
        for number, line in file.body:
            if _MAY_BE_CUT.search(line) and (mark := _CUT.search(line)):
                yield Fault(
                    file.path, number, "kept", f"{mark[0].strip()!r}, and no `kept: k of n`"
                )
                break
        else:
            yield from _dropped(file)


def _dropped(file: File) -> Iterator[Fault]:
    """A source that lists more numbers than the memory repeats."""
    sources = file.memory.metadata.get("sources")
    for source in sources if isinstance(sources, list) else ():
        quote = str(source.get("quote") or "") if isinstance(source, Mapping) else ""
        items = re.findall(r"[^,、;；]*\d[^,、;；]*", re.sub(r"(?<=\d),(?=\d{3})", "", quote))
        numbers = [re.findall(r"\d+(?:\.\d+)?", item) for item in items]
        body = re.sub(r"(?<=\d),(?=\d{3})", "", file.memory.body + file.memory.description)
        there = set(re.findall(r"\d+(?:\.\d+)?", body))
        held = sum(bool(set(item) & there) for item in numbers)
        if len(numbers) >= 3 and 0 < held < len(numbers):
            share = f"{held} of {len(numbers)}"
            text = f"{share} items of a source, and no `kept: {share}`"
            yield Fault(file.path, file.line_of("sources"), "kept", text)


def _is_told(file: File, line: int) -> bool:
    """Whether a memory says how much it keeps, or names a source beside a line of its body."""
    number = line + file.body_line - 1
    beside = [block for block in _blocks(file) if number in (at for at, _ in block)]
    told = any(_SOURCED.search(text) for block in beside for _, text in block)
    return told or file.memory.metadata.get("kept") is not None


def _unsourced(file: File, judged: set[int]) -> Iterator[tuple[int, str]]:
    """(line of the body, value) of what is asserted in blocks without a source or parts, but for
    blocks of which a line is judged already.
    """
    computed = {line + file.body_line - 1 for line in judged}
    for block in _blocks(file):
        if any(_SOURCED.search(line) for _, line in block):
            continue
        if computed.intersection(number for number, _ in block):
            continue
        for number, line in block:
            if _ABOUT_ITSELF.match(line):
                continue
            if value := _VALUE.search(_LINE_MARK.sub("", line, count=1)):
                yield number - file.body_line + 1, value[0].strip()


def _blocks(file: File) -> Iterator[list[tuple[int, str]]]:
    """The paragraphs, lists and tables of a body; a code block belongs to the one before it."""
    block: list[tuple[int, str]] = []
    fence = ""
    for number, line in file.body:
        mark = _FENCE.match(line)
        if fence or mark:
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
            block.append((number, "`code`"))
        elif not line.strip():
            if block:
                yield block
            block = []
        else:
            block.append((number, line))
    if block:
        yield block
