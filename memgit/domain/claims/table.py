"""Every probe that there is: what it takes, what its failure is called, how long its answer holds.

The one rule: what is not in this table cannot be asked. A claim names a probe and its arguments;
the words that are run, the files that are read and the hosts that are asked are the probe's own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.probing import files, forges, history, services, settings, web
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Outcome, Sign


@dataclass(frozen=True)
class Probe:
    """`takes` is argument → kind (`?` for one that may be left out); `says` names a claim's subject
    from them. `failed` is what a refuted claim is called, "" where none can be refuted. An answer
    is asked for anew after `half_life`. `is_remote` where it may have to wait for others.
    """

    ask: Callable[[Arguments, Scene], Outcome | Sign]
    takes: Mapping[str, str]
    says: str
    failed: str
    half_life: timedelta
    is_remote: bool = False


_DAY = timedelta(days=1)
_REPO = {"repo": "repository?"}
"""The project that is meant, where the memory as a whole does not say it."""

PROBES: Mapping[str, Probe] = {
    "path_exists": Probe(
        files.path_exists, {"path": "path", **_REPO}, "`{path}`", "not found", _DAY
    ),
    "path_contains": Probe(
        files.path_contains,
        {"path": "path", "text": "text?", "symbol": "symbol?", "line": "line?", **_REPO},
        "`{text}{symbol}{line}` in `{path}`", "not found", _DAY,
    ),
    "branch_exists": Probe(
        history.branch_exists, {"branch": "branch", **_REPO}, "branch `{branch}`", "not found", _DAY
    ),
    "commit_exists": Probe(
        history.commit_exists, {"commit": "commit", **_REPO},
        "commit `{commit}`", "not found", 90 * _DAY,
    ),
    "pr_merged": Probe(
        forges.pr_merged, {"number": "number", **_REPO},
        "PR #{number}", "not merged", 30 * _DAY, is_remote=True,
    ),
    "repo_visibility": Probe(
        forges.repo_visibility, {"repo": "repository", "visibility": "visibility"},
        "`{repo}` {visibility}", "not so", 7 * _DAY, is_remote=True,
    ),
    "url_answers": Probe(
        web.url_answers, {"url": "url"}, "{url}", "", 30 * _DAY, is_remote=True
    ),
    "secret_exists": Probe(
        services.secret_exists,
        {"name": "secret", "project": "slug?", "config": "slug?", **_REPO},
        "secret `{name}`", "not found", 7 * _DAY, is_remote=True,
    ),
    "doppler_project_exists": Probe(
        services.doppler_project_exists, {"project": "slug"},
        "Doppler project `{project}`", "not found", 30 * _DAY, is_remote=True,
    ),
    "cloud_instance_exists": Probe(
        services.cloud_instance_exists,
        {"cloud": "cloud", "instance": "instance", "project": "slug?", "place": "place?"},
        "instance `{instance}`", "not found", 2 * _DAY, is_remote=True,
    ),
    "command_exists": Probe(
        settings.command_exists, {"command": "program", "task": "task?", **_REPO},
        "command `{command} {task}`", "not found", 7 * _DAY,
    ),
    "package_version": Probe(
        settings.package_version,
        {"package": "package", "version": "version", "path": "path?", **_REPO},
        "`{package}` {version}", "not what is pinned", 7 * _DAY,
    ),
    "env_example_has": Probe(
        settings.env_example_has, {"name": "variable", "path": "path?", **_REPO},
        "`{name}` in the example environment", "not found", 7 * _DAY,
    ),
    "ci_job_exists": Probe(
        settings.ci_job_exists, {"job": "job", "path": "path?", **_REPO},
        "CI job `{job}`", "not found", 7 * _DAY,
    ),
    "port_configured": Probe(
        settings.port_configured, {"port": "port", "path": "path?", **_REPO},
        "port {port}", "not configured", 7 * _DAY,
    ),
}  # fmt: skip
"""Name → probe, in the order in which a summary tells them."""


def is_due(probe: str, age: timedelta) -> bool:
    """Whether an answer of this age is to be asked for anew."""
    return age >= PROBES[probe].half_life or age < timedelta(0)
