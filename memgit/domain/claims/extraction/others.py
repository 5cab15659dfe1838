"""What else a line says outright: URLs, commits, branches, packages, ports, secrets, settings.

The one rule: only what is written as such. `name = value` without its file, a number without the
word "port", a hash without the word "commit" or marks of code around it, claim nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.extraction.denial import is_denied, is_wished
from memgit.domain.claims.extraction.reading import Line, Where, spans, urls

_PATH = r"`?(?P<path>(?:[\w.@-]+/)*[\w@-]*\.[A-Za-z][\w.]{0,12})`?"
_WORDS = r"[A-Za-z_][\w.-]{0,60}\s*[=:]\s*[^`]{1,80}"
_NAME = r"[A-Z][A-Z0-9_]{2,80}"
_ENV = r"`?\.env\.(?:example|sample|template)`?"
_SERVICE = r"(?:github|actions|repo(?:sitory)?|ci|doppler)"

_COMMIT = re.compile(
    r"(?i)\bcommits?\s+`?(?P<commit>[0-9a-f]{7,40})\b(?![\w.-])`?"
    r"|コミット\s*`?(?P<ja>[0-9a-f]{7,40})\b"
)
_BRANCH = re.compile(
    r"(?i)\bbranch\s+`(?P<after>[\w./+#-]+)`|`(?P<before>[\w./+#-]+)`\s+branch\b"
    r"|ブランチ\s*`(?P<ja>[\w./+#-]+)`"
)
_PAST = re.compile(
    r"(?i)\b(?:observed|merged|was|were|had|deleted|from|created|pushed|then|moved|rebased|on)\b"
    r"[^.;]{0,30}$"
)
_PINNED = re.compile(
    r"^(?P<package>@?[A-Za-z][\w.-]*(?:/[\w.-]+)?)(?:==|@)v?"
    r"(?P<version>\d+(?:\.\d+){1,3}[\w.+-]*)$"
)
_PORT_IN = re.compile(
    r"(?i)\bport\s+`?(?P<port>\d{2,5})`?\s*(?:is (?:set|configured)\s+)?(?:in|from|\()\s*" + _PATH
)
_PORT = re.compile(
    r"(?i)\b(?:listens?|runs?|served?|serves|exposed|available|binds?)\s+(?:on|at)\s+"
    r"(?:port\s+|:)`?(?P<port>\d{2,5})\b(?!\.)"
    r"|ポート(?:番号)?(?:は)?\s*`?(?P<ja>\d{2,5})\b"
)
_SETTING_IN = re.compile(
    rf"`(?P<text>{_WORDS})`\s+(?:is set\s+|is\s+|lives\s+|stands\s+)?(?:in|at)\s+{_PATH}"
    rf"|{_PATH.replace('path', 'first')}\s+(?:sets|has|says|contains|holds|defines)\s+"
    rf"`(?P<later>{_WORDS})`"
    rf"|{_PATH.replace('path', 'ja')}\s*(?:の|で|に)\s*`(?P<jatext>{_WORDS})`"
)
_SYMBOL_IN = re.compile(
    r"`(?P<symbol>[A-Za-z_][\w.]{2,80})(?:\(\))?`\s+"
    r"(?:is\s+|lives\s+|stands\s+|is defined\s+|defined\s+)?(?:in|at)\s+" + _PATH
)
_SECRET = re.compile(
    rf"(?i:\b{_SERVICE}\s+secrets?\s+)`?(?P<secret>{_NAME})\b"
    rf"|`(?P<before>{_NAME})`\s+(?i:{_SERVICE}\s+secret\b)"
    rf"|\$\{{\{{\s*secrets\.(?P<used>{_NAME})\s*\}}\}}"
)
_EXAMPLE = re.compile(
    rf"`(?P<variable>{_NAME})`[^.;|]{{0,40}}{_ENV}|{_ENV}[^.;|`]{{0,40}}`(?P<after>{_NAME})`"
)
_DOPPLER = re.compile(r"(?i)\bdoppler\s+project\s+`(?P<project>[a-z0-9][a-z0-9_-]{1,62})`")
_JOB = re.compile(
    r"(?i)\bCI job\s+`(?P<job>[\w -]{2,60})`|`(?P<before>[\w-]{2,60})`\s+CI job\b"
    r"|CI\s*(?:の)?ジョブ\s*`(?P<ja>[\w-]{2,60})`"
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
_VISIBLE = re.compile(
    r"(?i)`?(?P<repository>[A-Za-z0-9][\w.-]+/[\w.-]+)`?\s+(?:repo(?:sitory)?\s+)?is\s+(?:a\s+)?"
    r"(?P<visibility>public|private|internal)\b(?!\s+(?:key|method|api))"
)
_INSTANCE = re.compile(
    r"(?i)\b(?:EC2\s+)?instance\s+`?(?P<instance>i-[0-9a-f]{8,17})`?"
    r"(?:\s+(?:in|at)\s+`?(?P<place>[a-z]{2}-[a-z]+-\d)`?)?"
)
_UNREAL = re.compile(r"[{}<>*…\[\]]|\.\.\.|//[^/]*example\.")
_TELLING = re.compile(
    r"(?i)` |`[のでに]|commit|branch|secret|\.env|doppler|job|public|private|internal|instance"
    r"|port\b|listen|\brun|serve|expose|available|binds? |コミット|ブランチ|ジョブ|ポート"
)
"""What a line holds that says any of these."""


@dataclass(frozen=True)
class Said:
    """What a line says: the probe, its arguments, the words, and where they start."""

    probe: str
    arguments: Arguments
    text: str
    start: int


def others(line: Line) -> Iterator[Said]:
    """What a line says outright, but for paths and pull requests."""
    for said in (*_of_code(line), *_of_text(line)):
        text = line.text
        if not is_denied(text, said.start, said.start + len(said.text)) and not is_wished(
            text, said.start
        ):
            yield said


def _of_code(line: Line) -> Iterator[Said]:
    """URLs, pinned packages and tasks."""
    for url in urls(line):
        if url.where != Where.FENCE and not re.search(
            r"[{}<>*…\[\]]|\.\.\.|//[^/]*example\.", url.text
        ):
            yield Said("url_answers", {"url": url.text.partition("#")[0]}, url.text, url.start)
    for span in spans(line):
        if span.where not in (Where.CODE,):
            continue
        text = span.text.strip()
        if found := _PINNED.match(text):
            yield Said("package_version", found.groupdict(), text, span.start)
        elif (found := _TASK.match(text)) and found["task"] not in _BUILT_IN:
            yield Said("command_exists", found.groupdict(), text, span.start)


def _of_text(line: Line) -> Iterator[Said]:
    text = line.text
    if line.is_fenced or not _TELLING.search(text):
        return
    for found in _COMMIT.finditer(text):
        commit = (found["commit"] or found["ja"]).lower()
        if re.search(r"\d", commit):
            yield _said("commit_exists", {"commit": commit}, found)
    for found in _BRANCH.finditer(text):
        branch = next(filter(None, found.groups()))
        if not _PAST.search(text[: found.start()]) and re.search(r"[A-Za-z]", branch):
            yield _said("branch_exists", {"branch": branch.rstrip(".")}, found)
    yield from _settings(text)
    for found in _SECRET.finditer(text):
        if "doppler" not in found[0].lower():
            yield _said("secret_exists", {"secret": next(filter(None, found.groups()))}, found)
    for found in _EXAMPLE.finditer(text):
        yield _said("env_example_has", {"variable": found["variable"] or found["after"]}, found)
    for found in _DOPPLER.finditer(text):
        yield _said("doppler_project_exists", {"project": found["project"].lower()}, found)
    for found in _JOB.finditer(text):
        yield _said("ci_job_exists", {"job": next(filter(None, found.groups()))}, found)
    for found in _VISIBLE.finditer(text):
        about = {"repository": found["repository"], "visibility": found["visibility"].lower()}
        yield _said("repo_visibility", about, found)
    for found in _INSTANCE.finditer(text):
        about = {"cloud": "aws", "instance": found["instance"]}
        if found["place"]:
            about["place"] = found["place"]
        yield _said("cloud_instance_exists", about, found)


def _settings(text: str) -> Iterator[Said]:
    """Ports, symbols and `name = value`, each with the file it is in; a port also on its own."""
    placed = set()
    for found in _PORT_IN.finditer(text):
        placed.add(found["port"])
        yield _said("port_configured", {"port": int(found["port"]), "path": found["path"]}, found)
    for found in _PORT.finditer(text):
        number = found["port"] or found["ja"]
        if number not in placed:
            yield _said("port_configured", {"port": int(number)}, found)
    for found in _SETTING_IN.finditer(text):
        path = found["path"] or found["first"] or found["ja"]
        words = found["text"] or found["later"] or found["jatext"]
        yield _said("path_contains", {"path": path, "text": words.strip()}, found)
    for found in _SYMBOL_IN.finditer(text):
        yield _said("path_contains", {"path": found["path"], "symbol": found["symbol"]}, found)


def _said(probe: str, arguments: Arguments, found: re.Match[str]) -> Said:
    return Said(probe, arguments, found[0].strip(), found.start())
