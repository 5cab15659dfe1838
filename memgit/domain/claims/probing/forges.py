"""Probes of forges, through the person's own gh or glab: pull requests, repositories, secrets.

The one rule: only an answer about the very thing refutes. Forges say "not found" of what one may
not see, so a thing that is not shown is unknown; secrets are asked for by name, never by value.
"""

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Outcome, refuted, supported, unknown

_GITHUB, _GITLAB = "gh", "glab"


def pr_merged(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a pull request was merged: the one state that stays."""
    number = str(arguments["number"])
    where = _where(arguments, scene)
    if where is None:
        return unknown(_nowhere(scene))
    program, repository = where
    if program == _GITHUB:
        told = scene.world.ask(_GITHUB, "pr", "view", number, "--repo", repository,
                               "--json", "number,state")  # fmt: skip
    else:
        told = scene.world.ask(_GITLAB, "mr", "view", number, "--repo", repository,
                               "--output", "json")  # fmt: skip
    data = told.data
    asked = data.get("number", data.get("iid")) if isinstance(data, dict) else None
    if not isinstance(data, dict) or str(asked) != number:
        return unknown(told.why if not told.is_done else f"{program} told of something else")
    state = str(data.get("state") or "").lower()
    if state == "merged":
        return supported("merged")
    if state in ("open", "opened", "closed"):
        return refuted(f"is {state.removesuffix('ed') if state == 'opened' else state}")
    return unknown(f"its state is {state[:20] or 'not told'}")


def repo_visibility(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a repository is as public as the memory says."""
    where = _where(arguments, scene)
    if where is None:
        return unknown(_nowhere(scene))
    program, repository = where
    if program == _GITHUB:
        told = scene.world.ask(_GITHUB, "repo", "view", repository, "--json", "visibility")
    else:
        told = scene.world.ask(_GITLAB, "repo", "view", repository, "--output", "json")
    data = told.data
    seen = str(data.get("visibility") or "").lower() if isinstance(data, dict) else ""
    if seen not in ("public", "private", "internal"):
        return unknown(told.why if not told.is_done else "its visibility is not told")
    return supported(seen) if seen == arguments["visibility"] else refuted(f"is {seen}")


def github_secret(name: str, scene: Scene, arguments: Arguments) -> Outcome:
    """Whether a repository, or the organization it is in, gives its jobs a secret of this name."""
    where = _where(arguments, scene)
    if where is None or where[0] != _GITHUB:
        return unknown(_nowhere(scene))
    repository = where[1]
    for words in (
        ("secret", "list", "--repo", repository, "--json", "name"),
        ("secret", "list", "--repo", repository, "--app", "dependabot", "--json", "name"),
        ("api", f"repos/{'/'.join(repository.split('/')[-2:])}/actions/organization-secrets"
         "?per_page=100"),
        ("api", f"repos/{'/'.join(repository.split('/')[-2:])}/environments?per_page=100"),
    ):  # fmt: skip
        told = scene.world.ask(_GITHUB, *words)
        names = _names(told.data)
        if names is None:
            return unknown(told.why if not told.is_done else "the list is not complete")
        if words[-1].endswith("environments?per_page=100"):
            return unknown("an environment may have it") if names else refuted("in no list")
        if name in names:
            return supported(f"in {repository}")
    return refuted("in no list")


def _names(data: object) -> set[str] | None:
    """The names of a complete list; None where it is none."""
    rows = data
    if isinstance(data, dict):
        rows = data.get("secrets", data.get("environments"))
        if not isinstance(rows, list) or data.get("total_count", len(rows)) != len(rows):
            return None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    return {str(row.get("name")) for row in rows}


def _where(arguments: Arguments, scene: Scene) -> tuple[str, str] | None:
    """(program, repository as it takes it): where the one project that is meant comes from, else
    what is named by owner and name.
    """
    named = str(arguments.get("repo") or "")
    remotes = [root.remote for root in scene.projects if root.remote]
    meant = [one for one in remotes if not named or f"/{one}".endswith(f"/{named}")]
    full = meant[0] if len(meant) == 1 else ""
    if not full and named.count("/"):
        full = named if "." in named.split("/")[0] else f"github.com/{named}"
    host, _, rest = full.partition("/")
    if host == "github.com":
        return (_GITHUB, rest) if rest.count("/") == 1 else None
    if "gitlab" in host:
        return _GITLAB, (rest if host == "gitlab.com" else f"https://{full}")
    return None


def _nowhere(scene: Scene) -> str:
    return "which repository, is not told" if scene.projects else scene.missing
