"""Whether what a tool answered was seen of the thing itself, or is a text that somebody wrote.

The one rule: a page, a document and what another agent tells are words of whoever wrote them. They
bear out nothing; what a command prints or a setting says does.
"""

import re

from memgit.domain.gates.patterns import Pattern
from memgit.domain.transcripts.turns import Step

SEES = ("Bash", "BashOutput", "PowerShell", "Read", "Grep", "Glob", "LS")
"""Tools that look at the machine and the project; any other one may tell what anybody wrote."""

_DOCUMENT = re.compile(
    r"(?i)\.(?:md|mdx|markdown|txt|rst|adoc|html?|pdf|docx?|eml|ipynb|log)\b|\bREADME\b|\bCHANGELOG\b"
)
_ELSEWHERE = re.compile(
    r"(?i)(?:^|[/\\])(?:node_modules|vendor|third_party|site-packages|dist-packages|Downloads|tmp"
    r"|examples?|samples?|fixtures|testdata)[/\\]"
)
_FETCHES = Pattern(
    r"(?i)\b(?:curl|wget|lynx|w3m|gh|glab|http|https?://|ssh|scp|man|pbpaste|xclip)\b"
)
_SPEAKS = Pattern(r"(?i)^\s*(?:echo|printf|cat\s*<<)")


def is_observed(step: Step) -> bool:
    """Whether a call that did not fail shows how things are."""
    if step.failed or step.tool not in SEES:
        return False
    given = " ".join(value for value in step.input.values() if isinstance(value, str))
    if _DOCUMENT.search(given) or _ELSEWHERE.search(given):
        return False
    return not (step.tool not in ("Read", "Grep", "Glob", "LS")
                and (_FETCHES.search(given) or _SPEAKS.search(given)))  # fmt: skip
