"""Probes that ask the person's own programs: three answers each, and every way of not knowing."""

from pathlib import Path

import pytest

from memgit.domain.claims.verdict import Outcome

from .conftest import ask
from .standins import LOGGED_OUT, OFFLINE, RATE_LIMITED, Answers, StandIns

VIEW = "pr view 12 --repo ferry/harbor --json number,state"
MR = "mr view 12 --repo ferry/harbor --output json"
REPO = "repo view ferry/harbor --json visibility"
SECRETS = "secret list --repo ferry/harbor --json name"
DEPENDABOT = "secret list --repo ferry/harbor --app dependabot --json name"
SHARED = "api repos/ferry/harbor/actions/organization-secrets?per_page=100"
PLACES = "api repos/ferry/harbor/environments?per_page=100"
NAMES = "secrets --only-names --json --project harbor --config prd"
PROJECTS = "projects --json"
GOOGLE = "compute instances list --filter=name=(web-1) --format=json(name) --project=ferry-prod"
AMAZON = "ec2 describe-instances --filters Name=instance-id,Values=i-0abc12345 --region"

NO_SECRETS = {
    SECRETS: (0, "[]", ""),
    DEPENDABOT: (0, "[]", ""),
    SHARED: (0, '{"total_count": 0, "secrets": []}', ""),
    PLACES: (0, '{"total_count": 0, "environments": []}', ""),
}

CASES: list[tuple[str, dict[str, object], str, Answers, str]] = [
    ("pr_merged", {"number": 12}, "gh", {VIEW: (0, '{"number":12,"state":"MERGED"}', "")},
     "supported"),
    ("pr_merged", {"number": 12}, "gh", {VIEW: (0, '{"number":12,"state":"OPEN"}', "")}, "refuted"),
    ("pr_merged", {"number": 12}, "gh", {VIEW: (0, '{"number":12,"state":"CLOSED"}', "")},
     "refuted"),
    ("pr_merged", {"number": 12}, "gh", {VIEW: (0, '{"number":21,"state":"OPEN"}', "")}, "unknown"),
    ("pr_merged", {"number": 12}, "gh", {VIEW: (0, "<html>", "")}, "unknown"),
    ("pr_merged", {"number": 12}, "gh", {VIEW: (1, "", "GraphQL: Could not resolve to a "
     "PullRequest with the number of 12. (repository.pullRequest)")}, "unknown"),
    ("pr_merged", {"number": 12, "repo": "gitlab.com/ferry/harbor"}, "glab",
     {MR: (0, '{"iid": 12, "state": "merged"}', "")}, "supported"),
    ("pr_merged", {"number": 12, "repo": "gitlab.com/ferry/harbor"}, "glab",
     {MR: (0, '{"iid": 12, "state": "opened"}', "")}, "refuted"),
    ("pr_merged", {"number": 12, "repo": "gitlab.com/ferry/harbor"}, "glab",
     {MR: (0, '{"iid": 12, "state": "locked"}', "")}, "unknown"),
    ("pr_merged", {"number": 12, "repo": "git.ferry.example/a/b"}, "gh", {}, "unknown"),
    ("repo_visibility", {"repo": "ferry/harbor", "visibility": "private"}, "gh",
     {REPO: (0, '{"visibility":"PRIVATE"}', "")}, "supported"),
    ("repo_visibility", {"repo": "ferry/harbor", "visibility": "private"}, "gh",
     {REPO: (0, '{"visibility":"PUBLIC"}', "")}, "refuted"),
    ("repo_visibility", {"repo": "ferry/harbor", "visibility": "private"}, "gh",
     {REPO: (1, "", "GraphQL: Could not resolve to a Repository with the name "
             "'ferry/harbor'. (repository)")}, "unknown"),
    ("secret_exists", {"name": "API_KEY"}, "gh",
     {**NO_SECRETS, SECRETS: (0, '[{"name":"API_KEY"}]', "")}, "supported"),
    ("secret_exists", {"name": "API_KEY"}, "gh",
     {**NO_SECRETS, SHARED: (0, '{"total_count":1,"secrets":[{"name":"API_KEY"}]}', "")},
     "supported"),
    ("secret_exists", {"name": "API_KEY"}, "gh", NO_SECRETS, "refuted"),
    ("secret_exists", {"name": "API_KEY"}, "gh",
     {**NO_SECRETS, PLACES: (0, '{"total_count":1,"environments":[{"name":"prod"}]}', "")},
     "unknown"),
    ("secret_exists", {"name": "API_KEY"}, "gh",
     {**NO_SECRETS, SHARED: (0, '{"total_count":300,"secrets":[{"name":"X"}]}', "")}, "unknown"),
    ("secret_exists", {"name": "API_KEY"}, "gh",
     {**NO_SECRETS, SHARED: (1, "", "gh: Resource not accessible (HTTP 403)")}, "unknown"),
    ("secret_exists", {"name": "API_KEY", "project": "harbor", "config": "prd"}, "doppler",
     {NAMES: (0, '{"API_KEY": {}}', "")}, "supported"),
    ("secret_exists", {"name": "API_KEY", "project": "harbor", "config": "prd"}, "doppler",
     {NAMES: (0, '{"OTHER": {}}', "")}, "refuted"),
    ("secret_exists", {"name": "API_KEY", "project": "harbor", "config": "prd"}, "doppler",
     {NAMES: (1, "", "Unable to fetch secrets\nDoppler Error: Could not find requested project "
              "'harbor'")}, "unknown"),
    ("secret_exists", {"name": "API_KEY", "project": "harbor"}, "doppler", {}, "unknown"),
    ("doppler_project_exists", {"project": "harbor"}, "doppler",
     {PROJECTS: (0, '[{"id":"harbor","name":"harbor"}]', "")}, "supported"),
    ("doppler_project_exists", {"project": "harbor"}, "doppler", {PROJECTS: (0, "[]", "")},
     "refuted"),
    ("doppler_project_exists", {"project": "harbor"}, "doppler",
     {PROJECTS: (0, str([{"id": f"p{n}"} for n in range(100)]).replace("'", '"'), "")}, "unknown"),
    ("cloud_instance_exists", {"cloud": "gcp", "instance": "web-1", "project": "ferry-prod"},
     "gcloud", {f"{GOOGLE} --quiet": (0, '[{"name":"web-1"}]', "")}, "supported"),
    ("cloud_instance_exists", {"cloud": "gcp", "instance": "web-1", "project": "ferry-prod"},
     "gcloud", {f"{GOOGLE} --quiet": (0, "[]", "")}, "refuted"),
    ("cloud_instance_exists", {"cloud": "gcp", "instance": "web-1", "project": "ferry-prod"},
     "gcloud", {f"{GOOGLE} --quiet": (0, "[]", "WARNING: Some requests did not succeed")},
     "unknown"),
    ("cloud_instance_exists", {"cloud": "gcp", "instance": "web-1"}, "gcloud", {}, "unknown"),
    ("cloud_instance_exists",
     {"cloud": "aws", "instance": "i-0abc12345", "place": "eu-central-1"}, "aws",
     {f"{AMAZON} eu-central-1 --output json":
      (0, '{"Reservations":[{"Instances":[{"State":{"Name":"running"}}]}]}', "")}, "supported"),
    ("cloud_instance_exists",
     {"cloud": "aws", "instance": "i-0abc12345", "place": "eu-central-1"}, "aws",
     {f"{AMAZON} eu-central-1 --output json":
      (0, '{"Reservations":[{"Instances":[{"State":{"Name":"terminated"}}]}]}', "")}, "refuted"),
    ("cloud_instance_exists",
     {"cloud": "aws", "instance": "i-0abc12345", "place": "eu-central-1"}, "aws",
     {f"{AMAZON} eu-central-1 --output json": (0, '{"Reservations":[]}', "")},
     "unknown"),
    ("cloud_instance_exists", {"cloud": "aws", "instance": "i-0abc12345"}, "aws", {}, "unknown"),
]  # fmt: skip

ASKED: list[tuple[str, str, dict[str, object]]] = [
    ("gh", "pr_merged", {"number": 12}),
    ("gh", "repo_visibility", {"repo": "ferry/harbor", "visibility": "public"}),
    ("gh", "secret_exists", {"name": "API_KEY"}),
    ("glab", "pr_merged", {"number": 12, "repo": "gitlab.com/ferry/harbor"}),
    ("doppler", "doppler_project_exists", {"project": "harbor"}),
    ("doppler", "secret_exists", {"name": "A_B_C", "project": "harbor", "config": "prd"}),
    ("gcloud", "cloud_instance_exists",
     {"cloud": "gcp", "instance": "web-1", "project": "ferry-prod"}),
    ("aws", "cloud_instance_exists",
     {"cloud": "aws", "instance": "i-0abc12345", "place": "eu-central-1"}),
]  # fmt: skip


@pytest.mark.parametrize(("probe", "arguments", "program", "answers", "expected"), CASES)
def test_what_a_service_tells(
    project: Path, standins: StandIns, probe: str, arguments: dict[str, object], program: str,
    answers: Answers, expected: str,
) -> None:  # fmt: skip
    standins.put(program, answers)
    said = ask(probe, project, **arguments)
    assert str(said.verdict) == expected, said
    assert said.why


@pytest.mark.parametrize(("program", "probe", "arguments"), ASKED)
@pytest.mark.parametrize("how", ["absent", "logged out", "rate-limited", "offline", "killed"])
def test_a_look_up_that_failed_is_no_refutation(
    project: Path, standins: StandIns, program: str, probe: str, arguments: dict[str, object],
    how: str,
) -> None:  # fmt: skip
    answers = {"logged out": LOGGED_OUT, "rate-limited": RATE_LIMITED, "offline": OFFLINE}
    if how == "killed":
        standins.put(program, {"*": (1, "", "")})
        (standins.folder / program).write_text("#!/bin/sh\nkill -9 $$\n")
    elif how != "absent":
        standins.put(program, {"*": answers[how][program]})
    said = ask(probe, project, **arguments)
    assert (str(said.verdict), bool(said.why)) == ("unknown", True)


@pytest.mark.parametrize("status", ["hang", "flood"])
def test_a_program_without_end_is_ended(
    project: Path, standins: StandIns, monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    monkeypatch.setattr("memgit.ports.shell.PATIENCE", 1.0)
    standins.put("gh", {"*": (status, "", "")})
    assert ask("pr_merged", project, number=12).verdict == "unknown"


@pytest.mark.parametrize("how", ["hang", "limited"])
def test_a_program_that_hangs_or_had_enough_is_not_asked_again(
    project: Path, standins: StandIns, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr("memgit.ports.shell.PATIENCE", 0.7)
    standins.put("gh", {"*": RATE_LIMITED["gh"] if how == "limited" else ("hang", "", "")})
    for number in range(3):
        said = ask("pr_merged", project, number=number + 1)
        assert (said.verdict, bool(said.why)) == ("unknown", True)
    assert len(standins.calls) == 1


def test_a_program_is_told_nothing_but_how_the_person_is_logged_in(
    project: Path, standins: StandIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SECRET_OF_MINE", "GIT_DIR", "LD_PRELOAD_X", "DOPPLER_TOKEN", "GH_TOKEN",
                 "AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "BASH_ENV"):  # fmt: skip
        monkeypatch.setenv(name, "x")
    standins.put("gh", {VIEW: (0, '{"number":12,"state":"MERGED"}', "")})
    assert ask("pr_merged", project, number=12).verdict == "supported"
    (call,) = standins.calls
    told = set(call["variables"])  # type: ignore[call-overload]
    assert "GH_TOKEN" in told
    assert not told & {"SECRET_OF_MINE", "GIT_DIR", "LD_PRELOAD_X", "DOPPLER_TOKEN",
                       "AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "BASH_ENV"}  # fmt: skip
    assert call["folder"] == "/"


def test_a_program_of_the_project_or_of_this_folder_is_not_run(
    project: Path, standins: StandIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = project / "ran"
    (project / "gh").write_text(f"#!/bin/sh\ntouch {canary}\n")
    (project / "gh").chmod(0o755)
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", f".::{standins.folder}")
    assert ask("pr_merged", project, number=12).verdict == "unknown"
    assert not canary.exists()


def test_secrets_are_asked_for_by_name_alone(project: Path, standins: StandIns) -> None:
    standins.put("gh", NO_SECRETS)
    standins.put("doppler", {NAMES: (0, '{"API_KEY": {}}', "")})
    ask("secret_exists", project, name="API_KEY")
    said = ask("secret_exists", name="API_KEY", project="harbor", config="prd")
    assert said.verdict == "supported"
    for call in standins.calls:
        words = " ".join(call["words"])  # type: ignore[arg-type]
        assert "get" not in words.split()
        assert "download" not in words
        assert "--only-names" in words or "secret list" in words or words.startswith("api ")


def test_no_project_no_repository(standins: StandIns) -> None:
    standins.put("gh", {"*": (0, '{"number":12,"state":"OPEN"}', "")})
    said = ask("pr_merged", number=12)
    assert isinstance(said, Outcome)
    assert (said.verdict, standins.calls) == ("unknown", [])
