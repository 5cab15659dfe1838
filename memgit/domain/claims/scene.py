"""Where a claim is looked at: the roots that its memory may mean, and what of the world is allowed.

The one rule: a probe sees the world through its scene alone, so that a store which nobody trusts
yet can be given a scene that ends at its own tree.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from memgit.domain.claims.finding import Finder
from memgit.domain.claims.root import Root
from memgit.ports import shell, web
from memgit.ports.shell import Told
from memgit.ports.web import Answer


@dataclass(frozen=True)
class World:
    """What is outside of the roots: other people's services, and the open net."""

    ask: Callable[..., Told] = shell.ask
    """A program of the person's, with its words."""
    is_installed: Callable[[str], bool] = shell.is_installed
    get: Callable[..., Answer] = web.get
    allow_private: bool = False
    """Whether a URL may lead to this machine or its own net."""


@dataclass(frozen=True)
class Scene:
    """`finders` are of the roots that may be meant, the store's own last; `folder` is the memory's.

    `why_none` says why there is no project's root among them.
    """

    finders: Sequence[Finder] = ()
    folder: str = ""
    why_none: str = ""
    world: World = field(default_factory=World)

    @property
    def projects(self) -> list[Root]:
        """The checkouts of projects, and the store where it is itself one of them."""
        return [one.root for one in self.finders if not one.root.is_store]

    @property
    def roots(self) -> list[Root]:
        """All roots."""
        return [one.root for one in self.finders]

    def of(self, repo: str) -> "Scene":
        """The same scene with the roots alone that are called so; itself for no name."""
        if not repo:
            return self
        finders = [one for one in self.finders if one.root.is_called(repo)]
        why = "" if finders else f"it is about {repo}, whose checkout is not named"
        return replace(self, finders=finders, why_none=why)

    @property
    def missing(self) -> str:
        """What to say where no root answers."""
        return self.why_none or "no checkout of a project is named: --root, or [projects]"
