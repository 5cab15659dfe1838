"""What else a line says outright: URLs, packages, tasks, and all that has a form of its own.

The one rule: what a line denies, wishes for or gives as an example is not claimed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.extraction.denial import is_denied, is_wished
from memgit.domain.claims.extraction.forms import Form
from memgit.domain.claims.extraction.reading import Line, Where, spans, urls

_PINNED = re.compile(
    r"^(?P<package>@?[A-Za-z][\w.-]*(?:/[\w.-]+)?)(?:==|@)v?"
    r"(?P<version>\d+(?:\.\d+){1,3}[\w.+-]*)$"
)
_TASK = re.compile(
    r"^(?P<command>make|just|npm|pnpm|yarn|bun)\s+(?:run\s+)?(?P<task>[A-Za-z][\w:.-]{1,60})$"
)
_BUILT_IN = frozenset(
    ("install", "ci", "add", "remove", "update", "upgrade", "init", "publish", "login", "exec",
     "dlx", "test", "start", "run", "link", "audit", "outdated", "why", "create", "cache",
     "config", "info", "list", "pack", "view", "version", "help", "sure", "it", "the")
)  # fmt: skip
"""What the programs do of themselves, and what one says in English."""

_UNREAL = re.compile(r"[{}<>*…\[\]]|\.\.\.|//[^/]*example\.")


@dataclass(frozen=True)
class Said:
    """What a line says: the probe, its arguments, the words, and where they start."""

    probe: str
    arguments: Arguments
    text: str
    start: int


def others(line: Line, forms: Sequence[Form]) -> Iterator[Said]:
    """What a line says outright, but for paths and pull requests; `forms` are those it may have."""
    text = line.text
    for said in (*_of_code(line), *_of_forms(line, forms)):
        denied = is_denied(text, said.start, said.start + len(said.text))
        if not denied and not is_wished(text, said.start):
            yield said


def _of_code(line: Line) -> Iterator[Said]:
    """URLs, pinned packages and tasks."""
    for url in urls(line):
        if url.where != Where.FENCE and not _UNREAL.search(url.text):
            yield Said("url_answers", {"url": url.text.partition("#")[0]}, url.text, url.start)
    if "`" not in line.text or line.is_fenced:
        return
    for span in spans(line):
        if span.where != Where.CODE:
            continue
        text = span.text.strip()
        if found := _PINNED.match(text):
            yield Said("package_version", found.groupdict(), text, span.start)
        elif (found := _TASK.match(text)) and found["task"] not in _BUILT_IN:
            yield Said("command_exists", found.groupdict(), text, span.start)


def _of_forms(line: Line, forms: Sequence[Form]) -> Iterator[Said]:
    if line.is_fenced:
        return
    low = line.text.lower()
    seen: set[tuple[str, int]] = set()
    for form in forms:
        if not any(word in low for word in form.needs):
            continue
        for found in form.pattern.finditer(line.text):
            arguments = form.made(found)
            if arguments is None or (form.probe, found.start()) in seen:
                continue
            seen.add((form.probe, found.start()))
            yield Said(form.probe, arguments, found[0].strip(), found.start())
