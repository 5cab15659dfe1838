"""Probes of what a project says of itself, and of its history: three answers each."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memgit.domain.claims.scene import World

from .conftest import ask, write
from .standins import StandIns

Git = Callable[..., subprocess.CompletedProcess[str]]

FILES = {
    ".env.example": "# comment\nDATABASE_URL=postgres://\nexport API_KEY=\n#OLD_KEY=\n",
    ".github/workflows/ci.yml": "on: push\njobs:\n  build:\n    steps: []\n  e2e:\n    name: End\n",
    "compose.yaml": "services:\n  web:\n    ports: ['8081:80']\n",
    "Makefile": "deploy: build\n\techo\nVAR := x\n",
    "justfile": "serve port='1':\n  echo\n",
    "package.json": '{"scripts": {"lint": "x"}, "dependencies": {"left-pad": "1.3.0"}}',
    "package-lock.json": '{"packages": {"node_modules/left-pad": {"version": "1.3.0"}}}',
    "uv.lock": '[[package]]\nname = "fast-api"\nversion = "0.110.2"\n',
    "requirements.txt": "flask==3.0.1\nclick>=8\n",
    "go.mod": "module x\nrequire github.com/spf13/cobra v1.8.0\n",
    "Cargo.lock": '[[package]]\nname = "serde"\nversion = "1.0.200"\n',
    ".python-version": "3.12.4\n",
    "yarn.lock": '"chalk@^5.0.0":\n  version "5.3.0"\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project without git that has one of everything."""
    write(tmp_path / "app", FILES)
    return tmp_path / "app"


@pytest.mark.parametrize(
    ("probe", "arguments", "expected"),
    [
        ("env_example_has", {"name": "API_KEY"}, "supported"),
        ("env_example_has", {"name": "OLD_KEY"}, "supported"),
        ("env_example_has", {"name": "API"}, "refuted"),
        ("env_example_has", {"name": "API_KEY", "path": ".env.example"}, "supported"),
        ("env_example_has", {"name": "API_KEY", "path": ".env.other"}, "unknown"),
        ("ci_job_exists", {"job": "build", "path": ".github/workflows/ci.yml"}, "supported"),
        ("ci_job_exists", {"job": "build", "path": ".ci/never.yml"}, "unknown"),
        (
            "package_version",
            {"package": "left-pad", "version": "1.3.0", "path": "package-lock.json"},
            "supported",
        ),
        (
            "package_version",
            {"package": "left-pad", "version": "1.3.0", "path": "uv.lock"},
            "unknown",
        ),
        ("ci_job_exists", {"job": "build"}, "supported"),
        ("ci_job_exists", {"job": "End"}, "supported"),
        ("ci_job_exists", {"job": "deploy"}, "refuted"),
        ("port_configured", {"port": 8081}, "supported"),
        ("port_configured", {"port": 808}, "unknown"),
        ("port_configured", {"port": 808, "path": "compose.yaml"}, "refuted"),
        ("port_configured", {"port": 808, "path": "never.yaml"}, "unknown"),
        ("command_exists", {"command": "make", "task": "deploy"}, "supported"),
        ("command_exists", {"command": "make", "task": "never"}, "refuted"),
        ("command_exists", {"command": "just", "task": "serve"}, "supported"),
        ("command_exists", {"command": "npm", "task": "lint"}, "supported"),
        ("command_exists", {"command": "npm", "task": "never"}, "refuted"),
        ("command_exists", {"command": "rake", "task": "x"}, "unknown"),
        ("package_version", {"package": "left-pad", "version": "1.3.0"}, "supported"),
        ("package_version", {"package": "left-pad", "version": "1.3"}, "supported"),
        ("package_version", {"package": "left-pad", "version": "1.4.0"}, "refuted"),
        ("package_version", {"package": "Fast_API", "version": "0.110"}, "supported"),
        ("package_version", {"package": "flask", "version": "v3.0.1"}, "supported"),
        ("package_version", {"package": "click", "version": "8.1"}, "unknown"),
        ("package_version", {"package": "github.com/spf13/cobra", "version": "1.8.0"}, "supported"),
        ("package_version", {"package": "serde", "version": "2.0"}, "refuted"),
        ("package_version", {"package": "python", "version": "3.12"}, "supported"),
        ("package_version", {"package": "chalk", "version": "5.3.0"}, "supported"),
        ("package_version", {"package": "absent", "version": "1.0"}, "unknown"),
    ],
)
def test_what_a_project_says(
    folder: Path, probe: str, arguments: dict[str, object], expected: str
) -> None:
    said = ask(probe, folder, **arguments)
    assert str(said.verdict) == expected, said


@pytest.mark.parametrize(
    ("probe", "arguments"),
    [
        ("env_example_has", {"name": "API_KEY"}),
        ("ci_job_exists", {"job": "build"}),
        ("port_configured", {"port": 8081}),
        ("command_exists", {"command": "make", "task": "deploy"}),
        ("package_version", {"package": "flask", "version": "3.0.1"}),
        ("branch_exists", {"branch": "main"}),
        ("commit_exists", {"commit": "0123abcd"}),
        ("path_contains", {"path": "a.py", "text": "x"}),
        ("path_exists", {"path": "src/a.py"}),
    ],
)
def test_without_a_project_nothing_is_known(probe: str, arguments: dict[str, object]) -> None:
    said = ask(probe, **arguments)
    assert str(said.verdict) == "unknown"
    assert "--root" in said.why


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".github/workflows/ci.yml", "jobs: [unclosed"),
        (".github/workflows/ci.yml", "a: &a [x]\nb: &b [*a,*a,*a]\n" + "c: [*b]\n" * 9),
        (".github/workflows/ci.yml", "- no\n- mapping\n"),
    ],
)
def test_a_workflow_that_cannot_be_read_says_nothing(folder: Path, name: str, text: str) -> None:
    write(folder, {name: text})
    assert ask("ci_job_exists", folder, job="never").verdict == "unknown"


def test_a_program_is_looked_for_and_not_run(folder: Path, standins: StandIns) -> None:
    standins.put("terraform", {})
    assert ask("command_exists", folder, command="terraform").verdict == "supported"
    assert ask("command_exists", folder, command="kubectl").verdict == "unknown"
    assert standins.calls == []


def test_a_commit_and_a_branch_of_a_repository_on_its_own(project: Path, git: Git) -> None:
    git(project, "remote", "remove", "origin")
    head = git(project, "rev-parse", "HEAD").stdout.strip()
    tree = git(project, "rev-parse", "HEAD^{tree}").stdout.strip()
    assert ask("commit_exists", project, commit=head[:10]).verdict == "supported"
    assert ask("commit_exists", project, commit="0123abcd").verdict == "refuted"
    assert ask("commit_exists", project, commit=tree).verdict == "unknown"
    assert ask("branch_exists", project, branch="main").verdict == "supported"
    assert ask("branch_exists", project, branch="release/1.0").verdict == "refuted"


def test_what_a_remote_may_have_is_unknown(project: Path, git: Git) -> None:
    assert ask("commit_exists", project, commit="0123abcd").verdict == "unknown"
    assert ask("branch_exists", project, branch="release/1.0").verdict == "unknown"
    git(project, "update-ref", "refs/remotes/origin/release/1.0", "HEAD")
    assert ask("branch_exists", project, branch="release/1.0").verdict == "supported"


def test_what_a_shallow_clone_lacks_is_unknown(project: Path, git: Git, tmp_path: Path) -> None:
    first = git(project, "rev-parse", "HEAD~1").stdout.strip()
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", str(clone))
    git(clone, "remote", "remove", "origin")
    assert ask("commit_exists", clone, commit=first).verdict == "unknown"


def test_two_projects_and_no_name(project: Path, git: Git, folder: Path) -> None:
    git(project, "remote", "remove", "origin")
    git(folder, "init", "--quiet")
    assert ask("commit_exists", project, folder, commit="0123abcd").verdict == "unknown"
    assert ask("pr_merged", project, folder, number=1, world=World()).verdict == "unknown"
