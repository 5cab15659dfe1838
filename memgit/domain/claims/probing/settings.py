"""Probes of what a project says of itself: commands, packages, variables, CI jobs, ports.

The one rule: read, never run. A project's file is parsed as data, and a file that cannot be parsed
says nothing.
"""

import re
from collections.abc import Iterator

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.probing.manifests import pinned, tasks
from memgit.domain.claims.root import Root
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Outcome, refuted, supported, unknown
from memgit.ports.frontmatter import BrokenFrontmatter, load_frontmatter

_EXAMPLES = (".env.example", ".env.sample", ".env.template", ".env.dist", "env.example")
_CONFIGURED = re.compile(
    r"(?:^|/)(?:[^/]*compose[^/]*\.ya?ml|Dockerfile[^/]*|Procfile|\.env[^/]*|package\.json"
    r"|(?:vite|next|nuxt|webpack)[^/]*\.config\.[cm]?[jt]s|application[^/]*\.(?:ya?ml|properties)"
    r"|(?:config|settings|values)[^/]*\.(?:ya?ml|toml|json|ini|py)|nginx[^/]*\.conf)$"
)
LOOKED_INTO = 200
"""Files of a project that one probe reads at most."""


def command_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a project defines a task, or this machine has a program; nothing is run."""
    program, task = str(arguments["command"]), arguments.get("task")
    if task is None:
        if scene.world.is_installed(program):
            return supported("on this machine")
        return unknown("not on this machine; another one may have it")
    known: set[str] = set()
    for root in scene.projects:
        found = tasks(program, root)
        if found is not None and task in found:
            return supported(f"in {root.label}")
        known.update(found or ())
    if not known:
        return unknown(f"no tasks of {program} can be read" if scene.projects else scene.missing)
    return refuted("not among its tasks")


def package_version(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a project pins a package at this version."""
    package, wanted = str(arguments["package"]), str(arguments["version"]).removeprefix("v")
    path = str(arguments.get("path") or "")
    found = [version for root in scene.projects for version in pinned(package, root, path)]
    if not found:
        return unknown(f"{package} is pinned nowhere" if scene.projects else scene.missing)
    for version in found:
        if version == wanted or version.startswith((f"{wanted}.", f"{wanted}-", f"{wanted}+")):
            return supported(f"pinned at {version}")
    return refuted(f"pinned at {found[0]}")


def env_example_has(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether the example of a project's environment names a variable."""
    name, path = re.escape(str(arguments["name"])), arguments.get("path")
    line = re.compile(rf"^\s*#?\s*(?:export\s+)?{name}\s*=", re.MULTILINE)
    read = False
    for root in scene.projects:
        for place in (str(path),) if path else _named(root, _EXAMPLES):
            text = root.read(place)
            if text is not None and line.search(text):
                return supported(place)
            read = read or text is not None
    if not read:
        return unknown("there is no example of an environment" if scene.projects else scene.missing)
    return refuted("not in the example")


def ci_job_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a workflow of GitHub or a pipeline of GitLab has a job of this name."""
    wanted = str(arguments["job"])
    known: set[str] = set()
    broken = ""
    for root in scene.projects:
        for path in _pipelines(root, str(arguments.get("path") or "")):
            jobs = _jobs(path, root.read(path))
            if jobs is None:
                broken = broken or path
            known.update(jobs or ())
    if wanted in known:
        return supported("in a workflow")
    if broken or not known:
        why = f"{broken} cannot be read" if broken else "no workflow is here"
        return unknown(why if scene.projects else scene.missing)
    return refuted("in no workflow")


def _pipelines(root: Root, named: str) -> list[str]:
    """The one that is named, else all workflows of GitHub and the pipeline of GitLab."""
    if named:
        return [named]
    form = re.compile(r"\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml")
    return [path for path in sorted(root.files) if form.fullmatch(path)]


def _jobs(path: str, text: str | None) -> set[str] | None:
    """Ids and names of the jobs of one file; None where it cannot be read, or takes in others."""
    try:
        data = load_frontmatter(text or "")
    except (BrokenFrontmatter, RecursionError):
        return None
    if not path.startswith(".github/") and "jobs" not in data:
        return None if "include" in data else {key for key in data if isinstance(data[key], dict)}
    jobs = data.get("jobs")
    if not isinstance(jobs, dict):
        return None
    names = {str(job.get("name")) for job in jobs.values() if isinstance(job, dict)}
    return {str(key) for key in jobs} | (names - {"None"})


def port_configured(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a project's configuration names a port."""
    port = re.compile(rf"(?<![\d.]){arguments['port']}(?![\d.])")
    path = arguments.get("path")
    for root in scene.projects:
        paths = [str(path)] if path else [one for one in sorted(root.files)
                                          if _CONFIGURED.search(one)]  # fmt: skip
        texts = [text for one in paths[:LOOKED_INTO] if (text := root.read(one)) is not None]
        if any(port.search(text) for text in texts):
            return supported(f"in {root.label}")
        if path and texts:
            return refuted(f"not in {path}")
    return unknown("no configuration names it" if scene.projects else scene.missing)


def _named(root: Root, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        yield from root.by_name.get(name, ())
