"""Runs the real Claude Code CLI in a home of its own, against a scripted model.

The one rule: a run sees nothing of the machine but PATH. HOME, the configuration, the project
folder and TMPDIR lie in the test's own folder; the API, and everything the network could be, is
the test's `MessagesApi`.

    claude.write_settings(exec_hooks(UserPromptSubmit=[sys.executable, "-I", "-S", script]))
    turn = claude.run("How do we deploy?")
    assert turn.contexts() == ["memory, recorded ..."]     # exact words, this turn
    assert "memory, recorded" in turn.sent.text            # all that the model read

    with claude.session() as session:                      # one process, many prompts
        session.say("How do we deploy?")
        session.say("/compact")
        again = session.say("And how do we deploy?")
"""

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .messages_api import MessagesApi
from .replies import Json
from .session import TIMEOUT, Session, end
from .turns import Run, Watch, transcripts

ABSENT = "the Claude Code CLI is not installed: pip install claude-agent-sdk"

_STREAM = ("--output-format", "stream-json", "--verbose", "--include-hook-events")


def find_cli() -> Path | None:
    """The CLI to test with: MEMGIT_TEST_CLAUDE, the one in the claude_agent_sdk wheel, or PATH's.

    Raises FileNotFoundError when MEMGIT_TEST_CLAUDE names no file, so that a typing error in a
    CI configuration does not skip the tests.
    """
    if named := os.environ.get("MEMGIT_TEST_CLAUDE"):
        if not Path(named).is_file():
            raise FileNotFoundError(f"MEMGIT_TEST_CLAUDE: there is no file {named}")
        return Path(named)
    sdk = importlib.util.find_spec("claude_agent_sdk")
    if sdk and sdk.origin:
        bundled = Path(sdk.origin).parent / "_bundled" / "claude"
        if bundled.is_file():
            return bundled
    on_path = shutil.which("claude")
    return Path(on_path) if on_path else None


def exec_hooks(timeout: float = 5, **events: Sequence[str | Path]) -> Json:
    """Settings with one exec-form hook per event: its program and arguments, no shell."""
    return {
        "hooks": {
            event: [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": str(argv[0]),
                            "args": [str(argument) for argument in argv[1:]],
                            "timeout": timeout,
                        }
                    ]
                }
            ]
            for event, argv in events.items()
        }
    }


class Claude:
    """A Claude Code of one's own: `home`, `config`, `project` (the default cwd), `env`, `api`.

    `env` is the whole environment of the CLI, and so of its hooks; change it as you like. It is
    also what a program needs that starts `claude` by itself, for `claude` is on its PATH.
    """

    def __init__(self, cli: Path, root: Path, api: MessagesApi) -> None:
        self.cli = cli
        self.api = api
        self.home = root / "home"
        self.config = self.home / ".claude"
        self.settings_file = self.config / "settings.json"
        self.project = root / "project"
        self._tmp, programs = root / "tmp", root / "bin"
        for folder in (self.config, self.project, self._tmp, programs):
            folder.mkdir(parents=True)
        (programs / "claude").symlink_to(cli)
        self.env = {
            "PATH": os.pathsep.join((str(programs), os.environ.get("PATH", os.defpath))),
            "LANG": "C.UTF-8",
            "HOME": str(self.home),
            "TMPDIR": str(self._tmp),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "ANTHROPIC_API_KEY": "dummy",
            "ANTHROPIC_BASE_URL": api.url,
            "HTTP_PROXY": api.url,
            "HTTPS_PROXY": api.url,
            "NO_PROXY": "127.0.0.1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
        }

    def write_settings(self, settings: Json, path: Path | None = None) -> Path:
        """Writes a settings file, by default the user's, which every run reads."""
        path = path or self.settings_file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings, ensure_ascii=False, indent=2), encoding="utf-8")
        return path

    def transcript(self, session_id: str) -> Path | None:
        """The transcript of a session, if it has one."""
        return next((p for p in self.transcripts() if p.stem == session_id), None)

    def transcripts(self) -> list[Path]:
        """All transcripts, oldest first."""
        return transcripts(self.config)

    def command(
        self, *arguments: str | Path, stdin: str = "", timeout: float = TIMEOUT
    ) -> subprocess.CompletedProcess[str]:
        """Any other command of the CLI, such as `plugin validate DIR` or `--version`."""
        with self._started(arguments, self.project, {}) as process:
            stdout, stderr = process.communicate(stdin, timeout)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def run(
        self,
        prompt: str,
        *arguments: str | Path,
        settings: Path | None = None,
        resume: str | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = TIMEOUT,
    ) -> Run:
        """`claude -p` in a process of its own, the prompt on stdin.

        `settings` is a file for --settings, `resume` a session id to go on with, `env` goes on
        top of `self.env`. Raises subprocess.TimeoutExpired after `timeout` seconds.
        """
        options = ["-p", *_STREAM, *_options(settings, resume), *arguments]
        watch, start = self._watch(), time.monotonic()
        with self._started(options, cwd or self.project, env or {}) as process:
            stdout, stderr = process.communicate(prompt, timeout)
        events = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        return Run(
            prompt,
            events,
            *watch.added_by(events),
            returncode=process.returncode,
            stdout=stdout,
            stderr=stderr,
            seconds=time.monotonic() - start,
        )

    @contextmanager
    def session(
        self,
        *arguments: str | Path,
        settings: Path | None = None,
        resume: str | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Iterator[Session]:
        """One `claude -p` process that takes prompt after prompt, `/compact` and `/clear` too."""
        options = ["-p", "--input-format", "stream-json", *_STREAM, *_options(settings, resume)]
        command = [*options, *arguments]
        with (
            tempfile.TemporaryFile("a+", encoding="utf-8", errors="replace") as stderr,
            self._started(command, cwd or self.project, env or {}, stderr) as process,
        ):
            session = Session(process, stderr, self._watch)
            yield session
            session.close()

    def _watch(self) -> Watch:
        return Watch(self.api, self.config)

    @contextmanager
    def _started(
        self,
        arguments: Sequence[str | Path],
        cwd: Path,
        env: Mapping[str, str],
        stderr: Any = subprocess.PIPE,
    ) -> Iterator[subprocess.Popen[str]]:
        with subprocess.Popen(
            [str(self.cli), *map(str, arguments)],
            cwd=cwd,
            env={**self.env, **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                end(process)


def _options(settings: Path | None, resume: str | None) -> list[str]:
    return [
        *(("--settings", str(settings)) if settings else ()),
        *(("--resume", resume) if resume else ()),
    ]
