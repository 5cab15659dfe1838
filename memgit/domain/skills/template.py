"""The text of a draft: a template whose fields are filled from what was counted.

The one rule: without a model every field says what was seen and no more. A model may word some of
them, and what it words is checked like a stranger's words before it stands there.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from memgit.domain.skills.action import WORDLESS, cut
from memgit.domain.skills.draft import (
    FAILURE,
    FALLBACK,
    INERT,
    LIMITS,
    STEPS,
    WHEN,
    Failure,
)
from memgit.domain.skills.finding import EDIT
from memgit.domain.skills.looks import OR
from memgit.domain.skills.procedure import Occurrence, Procedure
from memgit.ports.frontmatter import dump_frontmatter

SHORT = 8
"""Characters of a session's id in the text; the whole id stands in the keys."""

FIELDS = ("when", "prevents", "fallback", "limits")
"""The fields that a model may word."""

MOST_SESSIONS = 12
"""Sessions that a draft names; those that it was counted in may be more."""

LEAST_SAID = 4
"""Letters of a complaint that are its own."""

_SLOTS = (
    (re.compile(r"https?://\S+"), "<url>"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}\b", re.A), "<id>"),
    (re.compile(r"\b(branch|origin|remote|upstream) '?(?=[\w./]*[-/\d])[\w./-]*\w'?", re.A),
     r"\1 <name>"),
    (re.compile(r"(?<![A-Za-z0-9_<])~?[A-Za-z0-9_.@-]*/(?:[\w.@-]+/)*"
                r"(?:[\w.@-]*?\.[A-Za-z0-9]{1,4}(?![A-Za-z0-9_])|[A-Za-z0-9_.@-]+)(?::\d+)*:?"),
     "<path>"),
    (re.compile(r"\b[\w-]+\.[a-z]{1,4}(?::\d+)+:?"), "<path>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b", re.A), "<id>"),
    (re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`|'(?:[^' ]{3,}|[^'\x00-\x7f]+)'"),
     "<text>"),
    (re.compile(r"\b[A-Z]\w*[a-z]\w*[A-Z]\w*|\b\w+_\w+", re.A), "<name>"),
    (re.compile(r"#?\b\d[\d.,:]*\b", re.A), "<n>"),
)  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What is known beside the procedure: the projects it was seen in, first and last day."""

    projects: tuple[str, ...] = ()
    first: str = ""
    last: str = ""


def slotted(text: str, longest: int = 160) -> str:
    """A text without what belongs to one task: paths, ids, numbers, names and quoted words."""
    for pattern, slot in _SLOTS:
        text = pattern.sub(slot, text)
    return cut(" ".join(text.replace("`", "'").split()), longest)


def evidence(procedure: Procedure) -> tuple[Occurrence, Failure] | None:
    """The failure that it prevents: of those told in words the one of most sessions, else None."""
    told = [(one, slotted(one.why)) for one in procedure.occurrences
            if one.failed and one.record_failed and _tells(slotted(one.why))]  # fmt: skip
    if not told:
        return None
    met = Counter(said for said, _ in {(said, one.session) for one, said in told})
    one, said = min(told, key=lambda each: (
        -met[each[1]], not each[0].ended_well, each[0].session, each[0].records
    ))  # fmt: skip
    return one, Failure(one.session, one.record_failed, said)


def _tells(said: str) -> bool:
    """Whether something is left of what was said, once slots stand for what one task had."""
    return said != WORDLESS and len(re.sub(r"<\w+>|\W", "", said)) >= LEAST_SAID


def text_of(
    name: str, procedure: Procedure, seen: Seen, filled: Mapping[str, str], by: str
) -> bytes:
    """The draft's file. `filled` are fields that somebody worded, `by` who; rules say the rest."""
    found = evidence(procedure)
    failure = found[1] if found else Failure()
    fields = {**by_rule(procedure, seen, found), **filled}
    steps = [f"{number}. {_shown(step)} (seen in {_seen_in(procedure, number)})"
             for number, step in enumerate(procedure.steps, 1)]  # fmt: skip
    keys = {
        "name": name,
        "description": description(procedure),
        INERT: True,
        "metadata": {
            "procedure": list(procedure.steps),
            "sessions": list(procedure.sessions[:MOST_SESSIONS]),
            "failure": vars(failure),
            "filled_by": by,
        },
    }
    body = [
        f"# {name}", "", f"## {WHEN}", "", fields["when"], "", f"## {STEPS}", "", *steps, "",
        f"## {FAILURE}", "", fields["prevents"], "", f"## {FALLBACK}", "", fields["fallback"], "",
        f"## {LIMITS}", "", fields["limits"], "",
    ]  # fmt: skip
    return f"---\n{dump_frontmatter(keys)}---\n{chr(10).join(body)}".encode()


def description(procedure: Procedure) -> str:
    """What a host would list: what it does, and when."""
    steps = ", ".join(procedure.steps)
    told = (
        f"Goes through {steps} in this order, as {len(procedure.sessions)} sessions did. "
        f"Use when {_goal(procedure)} is due."
    )
    return told.replace("<", "").replace(">", "")[:1000]  # hosts take no tags here


def _mending(cost: int) -> str:
    """What mending took; where nothing was counted, nothing is said of it."""
    if not cost:
        return ""
    many = "1 further call or edit" if cost == 1 else f"{cost} further calls and edits"
    return f"; mending that took {many} in all"


def by_rule(
    procedure: Procedure, seen: Seen, found: tuple[Occurrence, Failure] | None
) -> dict[str, str]:
    """The fields as counting alone fills them."""
    sessions = len(procedure.sessions)
    said = "No failure was seen, so that there is nothing to prevent."
    if found:
        one, failure = found
        said = (
            f'In session {one.session[:SHORT]} a step failed: "{failure.said}". A step failed '
            f"before the end in {procedure.failed_first} of {sessions} sessions"
            f"{_mending(procedure.cost)}."
        )
    where = f" in {', '.join(seen.projects[:3])}" if seen.projects else ""
    when = f", from {seen.first} to {seen.last}" if seen.first else ""
    return {
        "when": (
            f"When {_goal(procedure)} is due. {sessions} sessions did these steps one after the "
            "other, in this order; nobody has said yet that it is a rule. What stands here was "
            "counted, so look whether the case at hand is one of these before you begin."
        ),
        "prevents": said,
        "fallback": (
            "Where the failure that is named above cannot occur, do the last step alone "
            f"({_goal(procedure)}), and tell which steps were left out. Where a step fails twice "
            "in the same way, stop and tell what it said, and do not go round again."
        ),
        "limits": (
            f"Counted in {sessions} sessions{where}{when}. It was not tried anywhere else. Where a "
            "command is missing or means something else, the steps do not apply. Texts, paths and "
            "numbers of the sessions are left out on purpose: take those of the case at hand."
        ),
    }


def _goal(procedure: Procedure) -> str:
    acts = [step for step in procedure.steps if step != EDIT]
    return _shown(acts[-1])


def _shown(step: str) -> str:
    return "edit what the step before told of" if step == EDIT else f"`{step}`"


def _seen_in(procedure: Procedure, number: int) -> str:
    """The session that a step is shown from: another one for each, as far as there are some; of a
    look one that looked so.
    """
    looked = {name for one in procedure.occurrences for name in one.looked}
    forms = looked.intersection(procedure.steps[number - 1].split(OR))
    did = [one.session for one in procedure.occurrences if not forms or forms & set(one.looked)]
    sessions = tuple(dict.fromkeys(did))
    return sessions[(number - 1) % len(sessions)][:SHORT]
