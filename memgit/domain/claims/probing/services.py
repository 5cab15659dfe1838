"""Probes of Doppler and of clouds, through the person's own doppler, gcloud or aws.

The one rule: refuted is what a complete list lacks. An account that may not look, or another one
than the memory means, says nothing.
"""

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.probing.forges import github_secret
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Outcome, refuted, supported, unknown

PAGE = 100
"""Projects that doppler lists at a time; a full page may have another one behind it."""


def secret_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a secret of this name is in a Doppler config, or at GitHub. Values are not asked."""
    name = str(arguments["name"])
    project, config = arguments.get("project"), arguments.get("config")
    if project is None:
        return github_secret(name, scene, arguments)
    if config is None:
        return unknown("which config of the project, is not told")
    told = scene.world.ask("doppler", "secrets", "--only-names", "--json", "--project",
                           str(project), "--config", str(config))  # fmt: skip
    data = told.data
    names = set(data) if isinstance(data, dict) else None
    if isinstance(data, list):
        names = {str(row.get("name") if isinstance(row, dict) else row) for row in data}
    if names is None:
        return unknown(told.why if not told.is_done else "doppler gave no list")
    return supported(f"in {project}/{config}") if name in names else refuted("not in the list")


def doppler_project_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether there is a Doppler project of this name."""
    wanted = str(arguments["project"])
    told = scene.world.ask("doppler", "projects", "--json")
    rows = told.data
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return unknown(told.why if not told.is_done else "doppler gave no list")
    if any(wanted in (row.get("id"), row.get("slug"), row.get("name")) for row in rows):
        return supported("in the list")
    return unknown("the list may be longer") if len(rows) >= PAGE else refuted("not in the list")


def cloud_instance_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a machine is there, in the project and place that the memory names."""
    name = str(arguments["instance"])
    if arguments["cloud"] == "gcp":
        return _google(name, arguments, scene)
    return _amazon(name, arguments, scene)


def _google(name: str, arguments: Arguments, scene: Scene) -> Outcome:
    project = arguments.get("project")
    if project is None:
        return unknown("in which project, is not told")
    told = scene.world.ask("gcloud", "compute", "instances", "list", f"--filter=name=({name})",
                           "--format=json(name)", f"--project={project}", "--quiet")  # fmt: skip
    rows = told.data
    if not isinstance(rows, list):
        return unknown(told.why if not told.is_done else "gcloud gave no list")
    there = any(isinstance(row, dict) and row.get("name") == name for row in rows)
    # gcloud warns on stderr of zones that it could not ask, and lists the others.
    if not there and "warning" in told.err.lower():
        return unknown(told.why)
    return supported(f"in {project}") if there else refuted(f"not in {project}")


def _amazon(name: str, arguments: Arguments, scene: Scene) -> Outcome:
    region = arguments.get("place")
    if region is None:
        return unknown("in which region, is not told")
    key = "instance-id" if name.startswith("i-") else "tag:Name"
    told = scene.world.ask("aws", "ec2", "describe-instances", "--filters",
                           f"Name={key},Values={name}", "--region", str(region),
                           "--output", "json")  # fmt: skip
    data = told.data
    if not isinstance(data, dict) or not isinstance(data.get("Reservations"), list):
        return unknown(told.why if not told.is_done else "aws gave no list")
    states = [str(one.get("State", {}).get("Name")) for row in data["Reservations"]
              for one in row.get("Instances", ())]  # fmt: skip
    if any(state not in ("terminated", "shutting-down") for state in states):
        return supported(f"in {region}")
    if states:
        return refuted(f"is {states[0]}")
    return unknown("not in this account, and whether it is the one that is meant, is not told")
