"""The real Gemini CLI in an empty home, talking to a scripted model; without it, tests skip."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.model_api import Json, ModelApi, events
from tests.real_cli import find, sealed_environment, start

ABSENT = (
    "Gemini CLI is not installed: npm install @google/gemini-cli, and MEMGIT_TEST_GEMINI names its "
    "program"
)

SETTINGS = """\
{
  // how the agent is told who asks
  "security": {"auth": {"selectedType": "gemini-api-key"}}, /* nothing
  else */
  "hooks": {"AfterAgent": []} // mine
}
"""


def reply(path: str, body: Json) -> tuple[str, str] | None:
    """The Gemini API, which says OK."""
    if not path.endswith(":streamGenerateContent"):
        return None
    said = {"content": {"role": "model", "parts": [{"text": "OK."}]}, "finishReason": "STOP"}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return events({"candidates": [{**said, "index": 0}], "usageMetadata": usage})


class Gemini:
    """A Gemini CLI of one's own."""

    def __init__(self, program: Path, root: Path, api: ModelApi) -> None:
        self.program, self.api = program, api
        self.home, self.project = root / "home", root / "project"
        self.settings = self.home / ".gemini" / "settings.json"
        for folder in (self.settings.parent, self.project):
            folder.mkdir(parents=True)
        self.settings.write_text(SETTINGS, "utf-8")
        self.env = sealed_environment(
            self.home, api.url, GEMINI_API_KEY="dummy", GOOGLE_GEMINI_BASE_URL=api.url
        )

    def ask(self, prompt: str, *options: str) -> str:
        """A turn of a new session; returns what was said on stderr."""
        words = ("--skip-trust", "--model", "gemini-2.5-pro", *options, "--prompt", prompt)
        done = start(self.program, *words, cwd=self.project, env=self.env)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == "OK."
        return done.stderr

    def texts(self, words: str) -> list[str]:
        """What the model was given as a person's that has these words, in the newest request."""
        parts = [
            part["text"]
            for content in self.api.last["contents"]
            if content["role"] == "user"
            for part in content["parts"]
        ]
        return [part for part in parts if words in part]


@pytest.fixture
def gemini(tmp_path: Path) -> Iterator[Gemini]:
    """The real CLI in an empty home."""
    program = find("MEMGIT_TEST_GEMINI", "gemini")
    if program is None:
        pytest.skip(ABSENT)
    with ModelApi(reply) as api:
        yield Gemini(program, tmp_path / "gemini", api)
