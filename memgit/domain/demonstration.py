"""The demonstration: the sample store as a store of its own, and what it is asked.

The one rule: an answer is what the hook's own process said; what was expected only judges it.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memgit.domain import trial
from memgit.domain.indexing.index import Index
from memgit.domain.store import Store
from memgit.ports.git import Repository
from memgit.ports.shipped import shipped

IDENTITY = ("-c", "user.name=memgit demo", "-c", "user.email=demo@memgit.invalid")
"""Given on the command line: a fresh machine has no git identity."""


@dataclass(frozen=True)
class Question:
    """A prompt and the name of the memory that should lead the answer; "" where it is silence."""

    prompt: str
    expected: str


QUESTIONS = (
    Question(
        "psql says connection refused when I connect to staging from my laptop, "
        "which port was it again?",
        "staging-database",
    ),
    Question(
        "a booking message keeps failing, how many times does the worker retry "
        "before it lands in the dead letter stream?",
        "queue-retries",
    ),
    Question("金曜の午後だけど、この修正を本番にデプロイしても大丈夫？", "no-deploy-on-friday"),
    Question("署名鍵の更新、次はいつだっけ？ コマンドも知りたい", "key-rotation"),
    Question("who is on call the week of December 14?", "当番表"),
    Question("ok, looks good, go ahead and commit", ""),
)


@dataclass(frozen=True)
class Asked:
    """What the hook said to a question: its text, the memories in it, best first, and its times."""

    question: Question
    trial: trial.Trial
    memories: tuple[str, ...]

    @property
    def as_expected(self) -> bool:
        """Whether the expected memory leads, or silence was kept where it should be."""
        lead = self.memories[0] if self.memories else ""
        return not self.trial.fault and lead == self.question.expected


def build(folder: Path) -> Store:
    """The sample store in `folder` (which is made), committed and indexed."""
    shutil.copytree(shipped("sample-store"), folder)
    repository = Repository.create(folder)
    repository.run("add", "--all", "--force")
    repository.run(*IDENTITY, "commit", "--quiet", "--message=init: the sample store")
    store = Store(repository)
    Index(store).sync()
    return store


def ask(command: Sequence[str], store: Store, question: Question) -> Asked:
    """Put one question to the hook that `command` starts."""
    given = trial.event(question.prompt, store.root)
    heard = trial.attempt(command, given, store.root)
    names = {str(record["path"]): str(record["name"]) for record in Index(store).records()}
    return Asked(question, heard, trial.memories_in(heard.text, names))
