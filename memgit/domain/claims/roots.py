"""Which roots a memory's claims belong to: its own scope, the projects of the store, `--root`.

The one rule: a memory about one project is never judged by another one's files.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from memgit.domain.claims.claim import Claim
from memgit.domain.claims.finding import Finder
from memgit.domain.claims.root import Root, opened
from memgit.domain.claims.scene import Scene, World
from memgit.domain.memory import Memory
from memgit.domain.settings import Project
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.checkout import Unreadable
from memgit.ports.shell import Told
from memgit.ports.web import Answer

KEYS = ("project", "repository", "repo")
"""Keys of a memory that name the project that it is about, beside `scope`."""

UNTRUSTED = "the store is not trusted yet: `memgit trust`"


@dataclass
class Roots:
    """The roots that are looked into. `faults` tell of folders that are named and not there,
    `why_none` why no project's may be.
    """

    finders: Sequence[Finder]
    own: Finder
    world: World = field(default_factory=World)
    faults: Sequence[str] = ()
    why_none: str = ""

    def scene(self, memory: Memory) -> Scene:
        """Where the claims of one memory are looked up."""
        folder = memory.path.rpartition("/")[0]
        about = project_of(memory)
        finders = [one for one in self.finders if not about or one.root.is_called(about)]
        if self.own in finders:  # the store is the project
            return Scene(finders, folder, world=self.world)
        why = f"it is about {about}, whose checkout is not named" if about and not finders else ""
        why = self.why_none or why
        return Scene((*finders, self.own), folder, why, self.world)

    def prepare(self, claims: Iterable[tuple[Scene, Claim]]) -> None:
        """Ask git at once what it must be asked about these claims, instead of one by one."""
        paths: dict[int, list[tuple[str, str]]] = {}
        commits: dict[int, list[str]] = {}
        for scene, claim in claims:
            for finder in scene.finders:
                if claim.probe == "path_exists":
                    place = str(claim.arguments["path"]), scene.folder
                    paths.setdefault(id(finder), []).append(place)
                elif claim.probe == "commit_exists":
                    commits.setdefault(id(finder), []).append(str(claim.arguments["commit"]))
        for finder in dict.fromkeys((*self.finders, self.own)):
            with suppress(Unreadable):  # then each claim tells so of itself
                finder.prepare(paths.get(id(finder), ()))
                finder.root.learn_commits(commits.get(id(finder), ()))


def gather(
    store: Store, named: Sequence[Path] = (), is_trusted: bool = True, world: World | None = None
) -> Roots:
    """The roots of a store: the folders that are named now, its projects, and itself.

    Of a store that is not trusted it is itself alone, and nothing of the world beyond. Raises
    StoreError for a named folder that is not there.
    """
    own = Finder(replace(opened(store.root), is_store=True))
    world = world or World()
    world = replace(world, allow_private=store.settings.verify.private_addresses)
    if not is_trusted:
        world = World(ask=_closed, is_installed=_absent, get=_unasked)
        return Roots((), own, world, why_none=UNTRUSTED)
    faults: list[str] = []
    found: dict[Path, Finder] = {}
    for root in (*map(opened, named), *_of_settings(store, store.settings.projects, faults)):
        if root.folder == own.root.folder:
            own = Finder(replace(root, is_store=False))
            found[root.folder] = own
        else:
            found.setdefault(root.folder, Finder(_at_home(root, store)))
    return Roots(list(found.values()), own, world, faults)


def project_of(memory: Memory) -> str:
    """The project that a memory says it is about; "" where it does not say."""
    scope = memory.metadata.get("scope")
    if isinstance(scope, Mapping) and scope.get("project"):
        return str(scope["project"]).strip()
    for key in KEYS:
        value = memory.metadata.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _of_settings(
    store: Store, projects: Mapping[str, Project], faults: list[str]
) -> Iterator[Root]:
    for name, project in projects.items():
        place = Path(project.path).expanduser()
        folder = place if place.is_absolute() else store.root / place
        try:
            yield opened(folder, (name,), project.memories)
        except StoreError as fault:
            faults.append(f"[projects] {name}: {fault}")


def _at_home(root: Root, store: Store) -> Root:
    """A root with the store's place in it, where the store lies in the project itself."""
    if root.home or not store.root.resolve().is_relative_to(root.folder):
        return root
    home = store.root.resolve().relative_to(root.folder).as_posix()
    return replace(root, home=home)


def _closed(program: str, *words: str) -> Told:
    return Told(fault=UNTRUSTED)


def _absent(program: str) -> bool:
    return False


def _unasked(url: str, judge: object, allow_private: bool = False) -> Answer:
    return Answer(why=UNTRUSTED)
