"""The real Codex CLI in an empty home, talking to a scripted model; without it, tests skip."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.model_api import Json, ModelApi, events
from tests.real_cli import TIMEOUT, find, sealed_environment, start

ABSENT = "Codex is not installed: npm install @openai/codex; MEMGIT_TEST_CODEX names its program"

CONFIG = """\
model = "a-model"
model_provider = "here"
[model_providers.here]
name = "here"
base_url = "{url}/v1"
env_key = "A_KEY"
wire_api = "responses"
"""


def reply(path: str, body: Json) -> tuple[str, str] | None:
    """The Responses API, which says OK."""
    if not path.endswith("/responses"):
        return None
    text = [{"type": "output_text", "text": "OK."}]
    message = {"type": "message", "role": "assistant", "id": "m", "content": text}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return events(
        {"type": "response.created", "response": {"id": "r"}},
        {"type": "response.output_item.done", "item": message},
        {"type": "response.completed", "response": {"id": "r", "usage": usage}},
    )


class Codex:
    """A Codex of one's own. `sent` is what the model was given, as (role, text)."""

    def __init__(self, program: Path, root: Path, api: ModelApi) -> None:
        self.program, self.api = program, api
        self.home, self.project = root / "home", root / "project"
        self.folder = self.home / ".codex"
        for folder in (self.folder, self.project):
            folder.mkdir(parents=True)
        (self.folder / "config.toml").write_text(CONFIG.format(url=api.url), "utf-8")
        self.env = sealed_environment(self.home, api.url, A_KEY="dummy")

    def ask(self, prompt: str, *options: str, resumed: bool = False) -> None:
        """A turn of a new session, or of the last one."""
        words = ["exec", *options, *(["resume", "--last"] if resumed else [])]
        done = start(
            self.program, *words, "--skip-git-repo-check", prompt, cwd=self.project, env=self.env
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == "OK."

    @property
    def sent(self) -> list[tuple[str, str]]:
        """The messages of the newest request."""
        return [
            (message["role"], part["text"])
            for message in self.api.last["input"]
            for part in message.get("content", ())
        ]

    def trust(self) -> None:
        """What the person's yes to the hooks writes, with the digests that Codex itself tells."""
        lines = [
            f'[hooks.state.{json.dumps(hook["key"])}]\ntrusted_hash = "{hook["currentHash"]}"\n'
            for hook in self.hooks()
        ]
        with (self.folder / "config.toml").open("a") as file:
            file.write("\n".join(["", *lines]))

    def hooks(self) -> list[dict[str, Any]]:
        """The hooks as Codex lists them."""
        asked = (
            {"id": 0, "method": "initialize",
             "params": {"clientInfo": {"name": "test", "version": "0"}}},
            {"method": "initialized"},
            {"id": 1, "method": "hooks/list", "params": {"cwds": [str(self.project)]}},
        )  # fmt: skip
        with subprocess.Popen(
            [self.program, "app-server"], cwd=self.project, env=self.env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        ) as server:  # fmt: skip
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write("".join(f"{json.dumps(one)}\n" for one in asked))
            server.stdin.flush()
            answers = (json.loads(line) for line in server.stdout)
            found = next(answer for answer in answers if answer.get("id") == 1)
            server.terminate()
            server.wait(TIMEOUT)
        return list(found["result"]["data"][0]["hooks"])


@pytest.fixture
def codex(tmp_path: Path) -> Iterator[Codex]:
    """The real CLI in an empty home."""
    program = find("MEMGIT_TEST_CODEX", "codex")
    if program is None:
        pytest.skip(ABSENT)
    with ModelApi(reply) as api:
        yield Codex(program, tmp_path / "codex", api)
