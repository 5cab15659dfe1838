"""What tests of claims share: stand-ins, projects with a history, a scene to ask probes in."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from memgit.domain.claims.finding import Finder
from memgit.domain.claims.root import opened
from memgit.domain.claims.scene import Scene, World
from memgit.domain.claims.table import PROBES
from memgit.domain.claims.validation import Accepted, accepted
from memgit.domain.claims.verdict import Outcome, Sign

from .standins import StandIns

Ask = Callable[..., Outcome | Sign]


@pytest.fixture
def standins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIns:
    """Stand-ins in place of everything that is on the PATH."""
    return StandIns(tmp_path / "bin", monkeypatch)


@pytest.fixture
def project(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, git: Callable[..., object]
) -> Path:
    """A project of GitHub's in which `ops/rotate.py` became `tools/rotate.py`."""
    made = tmp_path_factory.getbasetemp() / "harbor-template"
    if not (made / "done").exists():
        shutil.rmtree(made, ignore_errors=True)
        _make(made / "harbor", git)
        (made / "done").touch()
    shutil.copytree(made / "harbor", tmp_path / "harbor")
    return tmp_path / "harbor"


def _make(folder: Path, git: Callable[..., object]) -> None:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    write(folder, {
        "ops/rotate.py": "LIMIT = 12\nPORT = 8081\n\n\ndef rotate_keys():\n    return LIMIT\n",
        "src/app.py": "import logging\n",
        "src/当番表.md": "# 当番\n",
        "docs/how to/run book.md": "# Run\n",
        "old/plan.md": "words that go\n",
    })  # fmt: skip
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=first")
    (folder / "tools").mkdir()
    git(folder, "mv", "ops/rotate.py", "tools/rotate.py")
    git(folder, "rm", "--quiet", "old/plan.md")
    write(folder, {"ops/keep.txt": "kept\n"})
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=second")
    git(folder, "remote", "add", "origin", "git@github.com:ferry/harbor.git")


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Put files there."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def ask(probe: str, *folders: Path, world: World | None = None, **arguments: object) -> Outcome:
    """What a probe says of these arguments in these roots; they must be fit to be asked."""
    fit = accepted(probe, arguments, "")
    assert isinstance(fit, Accepted), fit
    scene = Scene([Finder(opened(one)) for one in folders], world=world or World())
    said = PROBES[probe].ask(fit.arguments, scene)
    assert isinstance(said, Outcome)
    return said
