"""`memgit check`: run the gates over a store, or over what is about to be committed."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from memgit.commands._help import examples
from memgit.commands._words import OneOf
from memgit.domain.gates.scope import LARGEST_BESIDE, File, Scope, some, whole
from memgit.domain.gates.table import GATES, Finding, gate_of, judge
from memgit.domain.memory import is_memory_path
from memgit.domain.settings import FILE
from memgit.domain.store import Store, without_tilde
from memgit.errors import UsageError, did_you_mean
from memgit.output import paging, printer, say, waiting


@click.command(
    epilog=examples(
        "memgit check",
        "memgit check --staged     # as a pre-commit hook",
        note="Exits with 1 when something must be mended.",
    )
)
@click.option("--staged", is_flag=True, help="Check only what is staged, as it is staged.")
@click.option(
    "--fix", is_flag=True, help="Mend in the files what can be mended without a question."
)
@click.option(
    "--explain",
    metavar="CODE",
    type=OneOf(gate.code for gate in GATES),
    help="Say what a gate holds, why, and how to mend it.",
)
@click.option("--borders", metavar="PROJECT", help="Also find what contradicts a project's guides.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one finding a line.")
@click.pass_obj
def check(
    store: str | None, staged: bool, fix: bool, explain: str | None, borders: str | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Find what is wrong with the memories: one `path:line: code message` a finding.

    What does not stop a commit is told as well, and exits with 0. --fix writes to the work tree
    and commits nothing: look at it with `git diff`, then `memgit save`.
    """
    if sum(map(bool, (staged, fix, explain, borders))) > 1:
        raise UsageError("--staged, --fix, --explain and --borders go one at a time")
    if explain:
        return _explained(explain, as_json)
    # Git tells its hooks from which index it commits; opening the store washes that away.
    index = os.environ.get("GIT_INDEX_FILE")
    if store is None and index and (Path.cwd() / FILE).is_file():
        store = str(Path.cwd())
    opened = Store.find(store)
    if borders:
        return _across(opened, without_tilde(borders), as_json)
    if fix:
        _mended(opened)
    with waiting("checking") as told:
        scope = _staged(opened, index) if staged else whole(opened)
        findings = judge(scope, told)
    with paging(as_json) as out:
        for finding in findings:
            out.value(as_value(finding), str(finding.fault))
    sys.stdout.flush()  # pre-commit shows both streams in one, as they come
    tell(findings)
    if staged and any(finding.gate.code == "secret" for finding in findings):
        say(_IS_AN_OBJECT)
    if not findings and not staged:
        say(f"{len(scope.files)} memories, nothing to mend")
    return int(any(finding.gate.blocks for finding in findings))


_IS_AN_OBJECT = """\
`git add` has copied the secret into git already, though not into a commit. Take it out of the
file, `git add` that again; then `git prune --expire=now` removes the copy."""


def tell(findings: Sequence[Finding]) -> None:
    """Say once for each code that was found what it means and how to mend it."""
    for gate in {finding.gate.code: finding.gate for finding in findings}.values():
        mild = "" if gate.blocks else " (does not stop a commit)"
        say(f"{gate.code}: {gate.explanation}{mild}\n  {gate.fix}")


def as_value(finding: Finding) -> dict[str, object]:
    """A finding as JSON has it."""
    fault, gate = finding.fault, finding.gate
    return {
        "path": fault.path,
        "line": fault.line,
        "code": fault.code,
        "message": fault.message,
        "fix": gate.fix,
        "blocks": gate.blocks,
        "mends": gate.mends,
    }


def _explained(code: str, as_json: bool) -> int:
    """Print what a gate holds. Raises UsageError for a code that no gate has."""
    gate = gate_of(code)
    if gate is None:
        codes = [gate.code for gate in GATES]
        meant = did_you_mean(code, codes) or f"known: {', '.join(codes)}"
        raise UsageError(f"{code}: no gate", meant)
    told = {
        "code": gate.code,
        "holds": gate.explanation,
        "why": gate.why,
        "example": gate.example,
        "fix": gate.fix,
        "blocks": gate.blocks,
        "mends": gate.mends,
    }
    weight = "stops a commit" if gate.blocks else "is told, and does not stop a commit"
    text = (
        f"{gate.code}: {gate.explanation} What breaks it {weight}.\n"
        f"  why      {gate.why}\n  finds    {gate.example}\n  to mend  {gate.fix}"
    )
    printer(as_json).value(told, text)
    return 0


def _mended(store: Store) -> None:
    """Mend the files of the work tree, and say what was changed in which."""
    from memgit.domain.gates.mending import mend_all

    for path, what in mend_all(store):
        say(f"{path}: {', '.join(what)}")


def _across(store: Store, project: Path, as_json: bool) -> int:
    """Print what the store and a project's own guides say differently."""
    from memgit.domain.borders.comparing import conflicts, guides

    with waiting("comparing"):
        found = conflicts(store, guides(project))
    out = printer(as_json)
    for one in found:
        out.value(one.value(), str(one))
    sys.stdout.flush()
    if not found:
        say("nothing is said twice with different values")
    return int(bool(found))


def _staged(store: Store, index: str | None) -> Scope:
    """What the next commit would change. The index that git named counts if it is the store's."""
    repository = store.repository
    named = Path(index).resolve() if index else None
    ours = named if named and named.parent == repository.git_dir else None
    changes = repository.staged(ours)
    present = {change.path: change.blob for change in changes if change.blob}
    contents = repository.blobs(present.values())
    files = [File(path, data) for path, data in zip(present, contents, strict=True)]
    memories = [file for file in files if is_memory_path(file.path)]
    gone = [change.path for change in changes if not change.blob]
    beside = [file for file in files if not is_memory_path(file.path)]
    links = {change.path: change.link for change in changes if change.link}
    targets = repository.blobs(links.values())
    rest = [File(path, data) for path, data in zip(links, targets, strict=True)]
    small = [file for file in beside if len(file.data) <= LARGEST_BESIDE]
    return some(store, memories, gone, small, rest)
