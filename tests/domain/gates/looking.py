"""Running gates over texts, without a store."""

from memgit.domain.gates.register import Entry, Register
from memgit.domain.gates.scope import File, Scope
from memgit.domain.gates.table import Finding, judge

Files = dict[str, bytes | str]


def look_at(
    files: Files, others: Files | None = None, beside: Files | None = None, code: str = ""
) -> list[Finding]:
    """What the gates find in `files`, memories with `others` beside them that are not judged."""
    judged, standing, rest = (_files(given or {}) for given in (files, others, beside))
    entries = [Entry.of(file.memory) for file in (*judged, *standing)]
    contents = {file.path: file.data for file in standing}
    scope = Scope(judged, Register(entries), rest, contents.__getitem__)
    return [finding for finding in judge(scope) if code in ("", finding.gate.code)]


def rows(findings: list[Finding]) -> list[tuple[str, int, str, str]]:
    """(path, line, code, message)"""
    found = [finding.fault for finding in findings]
    return [(fault.path, fault.line, fault.code, fault.message) for fault in found]


def lines(text: str, code: str, head: str = "name: a") -> list[int]:
    """The lines of a body, the first of which is 1, on which a gate finds something."""
    file = f"---\n{head}\n---\n{text}"
    start = head.count("\n") + 3
    return [finding.fault.line - start for finding in look_at({"a.md": file}, code=code)]


def _files(given: Files) -> list[File]:
    return [
        File(path, data.encode() if isinstance(data, str) else data) for path, data in given.items()
    ]
