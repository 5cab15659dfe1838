"""Gates on a draft's own text: its shape, size and name, and what it must not hold.

The one rule: each looks at the draft alone, so that it says the same on every machine.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from memgit.domain.gates.characters import hidden
from memgit.domain.gates.origin import order
from memgit.domain.gates.scope import File
from memgit.domain.gates.secrets import secrets_of
from memgit.domain.skills.draft import FAILURE, FALLBACK, INERT, LARGEST, SECTIONS, Draft
from memgit.domain.skills.gates.scene import Scene

Found = Iterator[tuple[int, str]]
"""(line, what is wrong) of each fault."""

LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024
FEWEST, MOST = 150, 1500
"""Tokens of a draft: below there is nothing to follow, above it is read past."""

TAKEN = Path(__file__).with_name("taken-names.txt")
KEYS = frozenset(("name", "description", "metadata", "license", INERT))
"""Keys that a draft may have. Others let it run something, or change who may call it."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_VAGUE = re.compile(
    r"(?i)\b(?:saves?|saving)\b.{0,20}\b(?:time|effort|tokens|work)\b|\bmore efficient|\bfaster\b"
    r"|\bbest practices?\b|\bproductiv|\bconvenien|時間(?:の|を|が)?(?:節約|短縮)|時短|効率"
    r"|(?:手間|作業)(?:を|が)(?:省|減)"
)
_LOADS = re.compile(r"!`|^\s*(?:```+|~~~+)\s*!", re.MULTILINE)
_FILE = re.compile(r"(?<![A-Za-z0-9_@`.])@(?:~|\.{0,2}/|[\w-]+[/.])[\w./~-]*")
_SUBSTITUTED = re.compile(r"\$(?:ARGUMENTS|\d\b|\{(?:CLAUDE|ARGUMENTS)\w*\})")
_COMMENT = re.compile(r"<!--|^\s{0,3}\[[^\]]+\]:\s|<\w[^>]*\b(?:hidden|style)\b")
_UNPRINTED = re.compile(r"[\x00\x0c]|\r(?!\Z)")
_MARKS = str.maketrans(dict.fromkeys('`"“”「」『』', " "))
"""Marks within which somebody is quoted: a draft has nobody to quote who gives orders."""
_ORDERS = re.compile(
    r"(?i)\b(?:curl|wget)\b[^\n]{0,200}\|\s*(?:ba|z)?sh\b|\bbase64\s+(?:-d|--decode)\b"
    r"|--dangerously|--no-verify|\brm\s+-rf\s+[~/]|\bchmod\s+777\b"
)
_LEAKS = (
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.A), "an id"),
    (re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b", re.A), "an id"),
    (re.compile(r"(?<!\w)#\d{2,}\b|\b(?:pull|issues|runs?)/\d{2,}\b", re.A),
     "a number of one task"),
    (re.compile(r"\b[A-Z]{2,8}-\d{2,}\b", re.A), "a number of one task"),
    (re.compile(r"(?<![A-Za-z0-9_.])/(?:Users|home|root|private|var)/[\w.-]+"),
     "a person's folder"),
    (re.compile(r"(?i)\b(?:the (?:answer|result|output|value) (?:is|should be|must be)|expected "
                r"(?:output|result|value)|returns? exactly|should (?:print|return|equal))\b"),
     "an answer"),
    (re.compile(r"(?:答え|正解|解答|期待(?:値|される?(?:出力|結果|値)))(?:は|が|:|：)"),
     "an answer"),
    (re.compile(r"=>\s*\S|==\s*['\"\d]"), "an answer"),
)  # fmt: skip


def shape(draft: Draft, scene: Scene) -> Found:
    """Frontmatter that can be read, the name of its folder, a description, every section once."""
    if draft.broken:
        yield 1, f"its frontmatter cannot be read: {draft.broken}"
        return
    if draft.keys.get("name") != draft.name:
        yield 1, f"its name is {draft.keys.get('name')!r}, its folder's is {draft.name!r}"
    if not 1 <= len(draft.description) <= LONGEST_DESCRIPTION:
        yield 1, f"its description has {len(draft.description)} characters, not 1 to 1,024"
    if re.search(r"<[/\w!]", draft.description):
        yield 1, "its description holds tags"
    for section in SECTIONS:
        if not draft.sections.get(section, (0, ""))[1]:
            yield draft.body_line, f"nothing stands under `## {section}`"
    if len(draft.steps) < 2:
        yield 1, "its metadata names no procedure of two steps or more"


def inert(draft: Draft, scene: Scene) -> Found:
    """A draft that a model could call, were it found."""
    if draft.keys.get(INERT) is not True:
        yield 1, f"`{INERT}: true` is missing: only promoting takes it out"


def name(draft: Draft, scene: Scene) -> Found:
    """Names that no host takes, or that would shadow what the host has."""
    called = draft.name
    if bad := bad_name(called):
        yield 1, bad
    if "claude" in called or "anthropic" in called:
        yield 1, f"{called} holds a name that hosts refuse"
    if called in taken():
        yield 1, f"{called} is a command or skill that the agent has already"
    for one in scene.skills:
        if one.name == called:
            yield 1, f"{called} is installed already, in {one.place}"


def bad_name(called: str) -> str:
    """What is wrong with the form of a name; "" where nothing is."""
    if len(called) > LONGEST_NAME or not _NAME.match(called):
        return f"{called!r} is no name of small letters, digits and hyphens, at most 64"
    return ""


def size(draft: Draft, scene: Scene) -> Found:
    """Bodies too short to follow, or too long to be read; one beyond all measure is not read."""
    if len(draft.data) > LARGEST:
        yield 1, f"the file has {len(draft.data):,} bytes, not {LARGEST:,} at most"
        return
    tokens = tokens_of(draft.body)
    if not FEWEST <= tokens <= MOST:
        yield draft.body_line, f"about {tokens:,} tokens, not {FEWEST} to {MOST:,}"


def loads(draft: Draft, scene: Scene) -> Found:
    """What a host would run, read or fill in while it loads the text; and rights it would give."""
    for key in draft.keys:
        if key not in KEYS:
            yield 1, f"the key `{key}` is the person's to add, once it is promoted"
    text = f"{draft.description}\n{draft.body}"
    for pattern, what in ((_LOADS, "a command that runs when it is loaded"),
                          (_FILE, "a file that is read when it is loaded"),
                          (_SUBSTITUTED, "a place that the host fills in")):  # fmt: skip
        if found := pattern.search(text):
            yield _line(draft, found.group()), f"{what}: {found.group().strip()}"


def hides(draft: Draft, scene: Scene) -> Found:
    """Orders to the agent, text that nobody sees, secrets, and commands that nobody should run."""
    lines = draft.data.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        if hidden(line, first=number == 1) or _UNPRINTED.search(line):
            yield number, "characters that nobody sees"
        if _COMMENT.search(line):
            yield number, "a comment, which a reader of the page does not see"
        if what := order(line):
            yield number, what
        if found := _ORDERS.search(line):
            yield number, f"a command that undoes what protects: {found.group()[:60]}"
    for number, text in _paragraphs(lines):
        if what := order(text):
            yield number, what
    for fault in secrets_of(File(draft.path, draft.data)):
        yield fault.line, fault.message


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(first line, text) of what stands between empty lines, in one line and without quotes."""
    first, kept = 1, list[str]()
    for number, line in enumerate((*lines, ""), 1):
        if line.strip():
            kept.append(line)
            continue
        if kept:
            yield first, " ".join(kept).translate(_MARKS)
        first, kept = number + 1, []


def failure(draft: Draft, scene: Scene) -> Found:
    """No failure by name: that it saves time is no reason for a skill."""
    line, told = draft.sections.get(FAILURE, (draft.body_line, ""))
    given = draft.failure
    if not (given.session and given.record and given.said):
        yield 1, "metadata names no failure with its session, record and what was said"
    elif given.said not in told:
        yield line, "the failure that its evidence tells is not the one that is named here"
    for text in (draft.description, *(text for _, text in draft.sections.values())):
        if found := _VAGUE.search(text):
            yield line, f"{found.group()!r} is no failure"


def fallback(draft: Draft, scene: Scene) -> Found:
    """A fallback that is none: it repeats the whole."""
    line, told = draft.sections.get(FALLBACK, (draft.body_line, ""))
    if told and len(told) < 40:
        yield line, "the fallback says no lighter way"


def leak(draft: Draft, scene: Scene) -> Found:
    """What belongs to one task: ids, numbers, folders, answers. Sessions that it names may stand"""
    known = {session[:8] for session in draft.sessions} | set(draft.sessions)
    for number, line in enumerate(draft.body.split("\n"), draft.body_line):
        for pattern, what in _LEAKS:
            for found in pattern.finditer(line):
                if found.group() not in known:
                    yield number, f"{what}: {found.group()[:60]}"
                    break


def tokens_of(text: str) -> int:
    """About how many tokens a model reads: a quarter of a letter's, one for a wide character."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return wide + -(-(len(text) - wide) // 4)


@lru_cache(maxsize=1)
def taken() -> frozenset[str]:
    """Names of built-in commands and bundled skills."""
    lines = TAKEN.read_text(encoding="utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("# ") for name in line.split())


def _line(draft: Draft, words: str) -> int:
    first = words.strip().split("\n")[0]
    lines = enumerate(draft.body.split("\n"), draft.body_line)
    return next((number for number, line in lines if first in line), 1)
