"""The examination: every check that `memgit doctor` makes, as one visible table.

The one rule: a check looks at one thing, yields findings and changes nothing; adding one is
writing the function and adding a line.
"""

from collections.abc import Callable, Iterator

from memgit.domain.examination import (
    of_agent,
    of_hooks,
    of_programs,
    of_projects,
    of_queue,
    of_store,
)
from memgit.domain.examination.finding import Check, Finding, Scene, bad, stored
from memgit.errors import MemgitError

CHECKS: tuple[tuple[str, Check], ...] = (
    ("git", of_store.git),
    ("store", of_store.store),
    ("memories", stored(of_store.uncommitted)),
    ("memories", stored(of_store.readable)),
    ("memories", stored(of_store.circles)),
    ("remote", stored(of_store.upstream)),
    ("index", stored(of_store.index)),  # before a git hook brings it up to date
    ("hooks", stored(of_hooks.reachable)),
    ("gate", stored(of_hooks.gate)),
    ("log", stored(of_store.log)),  # before a trial of recall could add to it
    ("recall", stored(of_agent.recall)),
    ("queue", stored(of_queue.waiting)),
    ("sweep", stored(of_queue.swept)),
    ("agent", of_agent.settings),
    ("program", of_programs.same_environment),
    ("program", of_programs.on_path),
    ("projects", of_projects.projects),
)
"""(subject, check), in the order in which they are made and told."""


def examine(scene: Scene, progress: Callable[[int, int], None]) -> Iterator[tuple[str, Finding]]:
    """Every finding with its subject. A check that meets a fault reports that as its finding."""
    for done, (subject, check) in enumerate(CHECKS):
        progress(done, len(CHECKS))
        try:
            for finding in check(scene):
                yield subject, finding
        except MemgitError as fault:
            yield subject, bad(str(fault), fault.hint or "mend what it names, and look again")
        except OSError as fault:
            yield subject, bad(f"{fault.filename}: {fault.strerror}", "see who may read it")
