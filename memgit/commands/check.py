"""`memgit check`: run the gates over a store, or over what is about to be committed."""

import os
import sys
from pathlib import Path

import click

from memgit.domain.gate import Finding, judge
from memgit.domain.memory import is_memory_path
from memgit.domain.scope import File, Scope, some, whole
from memgit.domain.settings import FILE
from memgit.domain.store import Store
from memgit.output import printer, say


@click.command(
    epilog="Exits with 1 when something must be mended. "
    "Example: memgit check   Or, as a pre-commit hook: memgit check --staged"
)
@click.option("--staged", is_flag=True, help="Check only what is staged, as it is staged.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one finding a line.")
@click.pass_obj
def check(store: str | None, staged: bool, as_json: bool) -> int:
    """Find what is wrong with the memories: one `path:line: code message` a finding."""
    # Git tells its hooks from which index it commits; opening the store washes that away.
    index = os.environ.get("GIT_INDEX_FILE")
    if store is None and index and (Path.cwd() / FILE).is_file():
        store = str(Path.cwd())
    opened = Store.find(store)
    scope = _staged(opened, index) if staged else whole(opened)
    findings = judge(scope)
    out = printer(as_json)
    for finding in findings:
        out.value(_value(finding), str(finding.fault))
    sys.stdout.flush()  # pre-commit shows both streams in one, as they come
    tell(findings)
    if not findings and not staged:
        say(f"{len(scope.files)} memories, nothing to mend")
    return int(any(finding.gate.blocks for finding in findings))


def tell(findings: list[Finding]) -> None:
    """Say once for each code that was found what it means and how to mend it."""
    for gate in {finding.gate.code: finding.gate for finding in findings}.values():
        mild = "" if gate.blocks else " (does not stop a commit)"
        say(f"{gate.code}: {gate.explanation}{mild}\n  {gate.fix}")


def _value(finding: Finding) -> dict[str, object]:
    fault, gate = finding.fault, finding.gate
    return {
        "path": fault.path,
        "line": fault.line,
        "code": fault.code,
        "message": fault.message,
        "fix": gate.fix,
        "blocks": gate.blocks,
    }


def _staged(store: Store, index: str | None) -> Scope:
    """What the next commit would change. The index that git named counts if it is the store's."""
    repository = store.repository
    named = Path(index).resolve() if index else None
    ours = named if named and named.parent == repository.git_dir else None
    changes = [change for change in repository.staged(ours) if is_memory_path(change.path)]
    present = {change.path: change.blob for change in changes if change.blob}
    contents = repository.blobs(present.values())
    files = [File(path, data) for path, data in zip(present, contents, strict=True)]
    return some(store, files, [change.path for change in changes])
