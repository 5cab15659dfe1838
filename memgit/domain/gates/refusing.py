"""What may not be written, said before anything becomes part of git.

The one rule: a secret is stopped here, whichever operation would carry it: a later purge finds
every clone that has it already. All else that the gates find is the affair of who writes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from memgit.domain.gates.scope import File
from memgit.domain.gates.secrets import secrets_of
from memgit.domain.gates.table import Finding, inspect
from memgit.domain.operation import Operation
from memgit.domain.store import Store
from memgit.errors import Fault, StoreError

SAID_INSTEAD = "write where it is kept instead, and replace it if it was shown to anybody"
"""What to do instead, where a secret was stopped."""

_ENCODING = "working-tree-encoding"


def expect_no_secret(
    store: Store, operation: Operation, files: Mapping[str, bytes | None], standing: Iterable[str]
) -> None:
    """Raise StoreError where a commit would carry a secret that the last one did not.

    `files` and `standing` are as in `Store.commit`. Git has not seen any of it yet.
    """
    coming = {path: data for path, data in files.items() if data is not None}
    for path in standing:
        file = store.root / path
        if path not in coming and file.is_file() and not file.is_symlink():
            coming[path] = store.content(path)
    for path, data in coming.items():
        if fault := new_secret(store, path, data):
            raise StoreError(f"refused: {fault}", f"{SAID_INSTEAD}; nothing was committed")
    if faults := list(secrets_of(File("what the history would say", operation.message().encode()))):
        raise StoreError(f"refused: {faults[0].message} in the reason or the names", SAID_INSTEAD)


def new_secret(store: Store, path: str, data: bytes) -> Fault | None:
    """The first secret in a file that the commit which is checked out does not hold there."""
    faults = list(secrets_of(File(path, _as_git_takes(store, path, data))))
    if not faults:
        return None
    before = _committed(store, path)
    there = () if before is None else secrets_of(File(path, before))
    known = Counter(fault.message for fault in there)
    for fault in faults:
        known[fault.message] -= 1
        if known[fault.message] < 0:
            return fault
    return None


def refuse_or_tell(store: Store, files: Mapping[str, bytes | None]) -> Sequence[Finding]:
    """What the gates find in new files, as far as it does not stop them; else StoreError.

    What can be mended afterwards without a question is no reason to refuse what somebody typed.
    """
    findings = inspect(store, files)
    for finding in findings:
        if finding.gate.blocks and not finding.gate.mends:
            raise StoreError(f"refused: {finding.fault}", finding.gate.fix)
    return findings


def _as_git_takes(store: Store, path: str, data: bytes) -> bytes:
    """What git would keep of a file: UTF-8 where attributes tell that it has another encoding."""
    folders = (store.root / path).parents[: path.count("/") + 1]
    files = [*(folder / ".gitattributes" for folder in folders),
             store.repository.common_dir / "info" / "attributes"]  # fmt: skip
    if not any(file.is_file() and _ENCODING.encode() in file.read_bytes() for file in files):
        return data
    told = store.repository.run("check-attr", "-z", _ENCODING, "--", path).split("\0")[2]
    try:
        return data.decode(told.removesuffix("-BOM")).encode()
    except (LookupError, UnicodeError):  # `unspecified`, or what git refuses by itself
        return data


def _committed(store: Store, path: str) -> bytes | None:
    """A file's content in the commit that is checked out; None where it is not there."""
    status, blob, _ = store.repository.run_status("rev-parse", "--verify", "-q", f"HEAD:{path}")
    return next(store.repository.blobs([blob])) if status == 0 else None
