"""`memgit eval claims`: verifying measured on a store whose project's history was recorded.

The one rule: it is the pass that `memgit verify` runs, offline, on repositories made for it alone.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from memgit.commands._help import examples
from memgit.commands._verdicts import as_value
from memgit.domain.claims.roots import gather
from memgit.domain.claims.scene import World
from memgit.domain.settings import FILE, FORMAT
from memgit.domain.store import Store
from memgit.errors import StoreError, UsageError
from memgit.evaluation.built_store import IDENTITY
from memgit.evaluation.claims_eval import NOTES, cases, of_paths, of_pulls
from memgit.evaluation.metrics import Figure
from memgit.evaluation.recorded_project import TREE, build
from memgit.output import printer, waiting
from memgit.passes.verify import judge, readings
from memgit.ports.git import Repository
from memgit.ports.shell import Told
from memgit.ports.web import Answer

LISTED = 20
"""Cases that went wrong which the text lists; the JSON has all."""


@click.command(epilog=examples("memgit eval claims ~/recorded-store"))
@click.argument("recorded", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def claims(recorded: Path, as_json: bool) -> None:
    """Measure how right `memgit verify` is on labelled mentions of paths and pull requests.

    RECORDED is a folder of notes/, tree.txt (every path of their project), path-history.tsv.gz
    (every change of a path, newest first: date, A, D or R, path, new path), path-labels.jsonl and
    pr-mentions.jsonl. The project is built again in a temporary repository; no net is asked.
    """
    with tempfile.TemporaryDirectory(prefix="memgit-claims-") as made:
        place = Path(made).resolve()
        with waiting("building the recorded project"):
            commits = build(place / "project", recorded)
            store = _store(place / "store", recorded, place / "project")
        with waiting("verifying"):
            verdicts, spent = _verify(store)
    report = {
        "commits": commits,
        **spent,
        "verdicts": {probe: dict(counts) for probe, counts in _counted(verdicts).items()},
        "paths": of_paths(cases(recorded, verdicts)),
        "pull_requests": of_pulls(recorded),
    }
    printer(as_json).value(_plain(report), partial(_text, report))


def _store(folder: Path, recorded: Path, project: Path) -> Store:
    """The notes as a store of their own, which knows its project."""
    shutil.copytree(recorded / NOTES, folder)
    settings = f'format = {FORMAT}\n[projects.project]\npath = "{project}"\n'
    settings += f'memories = "{_home(recorded)}"\n'
    (folder / FILE).write_text(settings, encoding="utf-8")
    Repository.create(folder)
    for words in (("add", "--all"), ("commit", "--quiet", "--message=recorded notes")):
        done = subprocess.run(["git", "-C", str(folder), *IDENTITY, *words], capture_output=True,
                              check=False)  # fmt: skip
        if done.returncode:
            raise StoreError(f"{folder}: {done.stderr.decode(errors='replace').strip()}")
    return Store.at(folder)


def _home(recorded: Path) -> str:
    """The folder of the project in which the notes lie: where most of them are in its tree."""
    tree = (recorded / TREE).read_text(encoding="utf-8").splitlines()
    notes = {path.relative_to(recorded / NOTES).as_posix()
             for path in (recorded / NOTES).rglob("*.md")}  # fmt: skip
    homes: Counter[str] = Counter()
    for path in tree:
        parts = path.split("/")
        for depth in range(len(parts)):
            if "/".join(parts[depth:]) in notes:
                homes["/".join(parts[:depth])] += 1
    if not homes:
        raise UsageError(f"{recorded}: none of the notes is in {TREE}", "record the whole tree")
    return homes.most_common(1)[0][0]


def _verify(store: Store) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """Every verdict as `verify --json` tells it, and what that took, from reading to the last."""
    world = World(ask=_not_installed, get=_not_connected)
    start, cpu = time.perf_counter(), _cpu()
    roots = gather(store, world=world)
    files = [(path, store.content(path)) for path in store.paths()]
    read = list(readings(files, roots))
    now = datetime.now(UTC)
    verdicts = [as_value(one) for one in judge(read, roots, {}, now)]
    spent = {
        "memories": len(read),
        "claims": len(verdicts),
        "seconds": round(time.perf_counter() - start, 2),
        "cpu_seconds": round(_cpu() - cpu, 2),
    }
    return verdicts, spent


def _cpu() -> float:
    """Seconds of CPU that this process and the git processes that it waited for have taken."""
    return sum(os.times()[:4])


def _not_installed(program: str, *words: str) -> Told:
    return Told(fault=f"{program} is not installed")


def _not_connected(url: str, judge: object, allow_private: bool = False) -> Answer:
    return Answer(why="this machine is not connected")


def _counted(verdicts: Sequence[dict[str, Any]]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for row in verdicts:
        found.setdefault(row["probe"], Counter())[row["verdict"]] += 1
    return found


def _plain(value: Any) -> Any:
    """The report as JSON has it."""
    if isinstance(value, Figure):
        return value.record()
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _text(report: dict[str, Any]) -> str:
    about, pulls = report["paths"], report["pull_requests"]
    lines = [
        f"{report['memories']:,} memories, {report['claims']:,} claims, offline: "
        f"{report['seconds']:.1f} s ({report['cpu_seconds']:.1f} s of CPU, git's with it)",
        f"labelled paths: {about['mentions']}",
        f"  refuted, precision      {_share(about['precision'])}",
        f"  refuted, recall         {_share(about['recall'])}",
        f"  moved, target right     {_share(about['moved_right'])}",
        f"  alive, supported        {_share(about['alive_supported'])}",
        f"  said of what is no path {about['said_of_no_path']} of {about['no_paths']}",
        f"pull requests, states right {_share(pulls['right'])}",
    ]
    faults = [f"  {row['note']}:{row['line']}: {row['mention']} is {row['label']}, said: "
              f"{row['verdict'] or 'nothing'}" for row in about["faults"]]  # fmt: skip
    faults += [f"  {row['note']}:{row['line']}: {row['mention']} {row['states']}, claimed: "
               f"{row['claimed']}" for row in pulls["faults"]]  # fmt: skip
    return "\n".join([*lines, *faults[:LISTED]])


def _share(figure: Figure) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return "-"
    return f"{figure.value:.3f} of {figure.n} ({figure.low:.2f} – {figure.high:.2f})"
