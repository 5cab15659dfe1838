"""Probes of git's history: is there such a branch, such a commit.

The one rule: a clone knows what was fetched and no more. What it lacks is refuted only where there
is nowhere else that it could be.
"""

from memgit.domain.claims.arguments import Arguments
from memgit.domain.claims.root import Root
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Outcome, refuted, supported, unknown
from memgit.ports.checkout import Checkout, Unreadable


def branch_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a branch is here, or at a remote as it was last fetched."""
    wanted = str(arguments["branch"])
    said = ""
    for root, checkout in _checkouts(scene):
        try:
            names = checkout.branches()
        except Unreadable as fault:
            said = said or str(fault)
            continue
        for name in names:
            if name == wanted or name.partition("/")[2] == wanted:
                return supported(f"{name} in {root.label}")
        said = said or _elsewhere(root, checkout)
    return _none(scene, said)


def commit_exists(arguments: Arguments, scene: Scene) -> Outcome:
    """Whether a commit is here."""
    wanted = str(arguments["commit"])
    said = ""
    for root, checkout in _checkouts(scene):
        try:
            kind = root.kind_of(wanted)
        except Unreadable as fault:
            said = said or str(fault)
            continue
        if kind == "commit":
            return supported(f"in {root.label}")
        if kind == "missing":
            said = said or _elsewhere(root, checkout)
        else:
            said = said or f"{wanted} is {kind} in {root.label}"
    return _none(scene, said)


def _checkouts(scene: Scene) -> list[tuple[Root, Checkout]]:
    return [(root, root.checkout) for root in scene.projects if root.checkout is not None]


def _elsewhere(root: Root, checkout: Checkout) -> str:
    """Where else it could be; "" where this repository is all there is."""
    if root.is_cut:
        return f"only a part of {root.label} was cloned"
    remotes = checkout.remotes()
    return f"not here, and {remotes[0]} may have it" if remotes else ""


def _none(scene: Scene, said: str) -> Outcome:
    """The answer where nothing was found: refuted if each root was whole and on its own."""
    checkouts = _checkouts(scene)
    if said or not checkouts:
        return unknown(said or scene.missing)
    if len(checkouts) > 1:
        return unknown(f"in none of {len(checkouts)} projects, and none is named")
    return refuted(f"not in {checkouts[0][0].label}")
