"""Claims written by somebody who means harm: none runs, none reads beyond the roots, each is told.

Every case is a memory of a store that a person trusts by mistake, verified as a whole. The world
has stand-ins for every program, a file of another person's beside the project, and a server on this
machine that hears of every request.
"""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.claims.arguments import KINDS
from memgit.domain.claims.claim import claims_schema
from memgit.domain.claims.reasons import Reason
from memgit.domain.claims.roots import Roots, gather
from memgit.domain.claims.table import PROBES
from memgit.domain.store import Store
from memgit.passes.verify import Judged, judge, readings
from memgit.ports.frontmatter import dump_frontmatter

from .conftest import write
from .standins import StandIns

Git = Callable[..., subprocess.CompletedProcess[str]]

SHELL = ("; touch {canary}", "$(touch {canary})", "`touch {canary}`", "| touch {canary}",
         "&& touch {canary}", "x\ntouch {canary}", "x\x00y", "x\x1b[2J")  # fmt: skip
OPTIONS = ("--help", "-oProxyCommand=touch {canary}", "--upload-pack=touch {canary}", "-R", "-c",
           "--repo=other/person")  # fmt: skip
TEMPLATES = ("{{{{ config }}}}", "${{jndi:ldap://127.0.0.1/x}}", "{{0.__class__}}", "%(path)s",
             "${{HOME}}", "<%= x %>")  # fmt: skip
LOOK_ALIKES = ("ops\u2215rotate.py", "ops\uff0frotate.py", "ops/\u202etxt.exe", "ops/\u200bkey.py",
               "\u043eps/r\u043etate.py", "ops/rotate\u2024py", "ops/\ud800.py")  # fmt: skip
PATHS = ("../secret/key.txt", "../../etc/passwd", "/etc/passwd", "~/.ssh/id_rsa", "~root/.bashrc",
         "src/../../secret/key.txt", "outer/key.txt", "file:///etc/passwd", "C:\\Windows\\x.ini",
         "//server/share/x.txt", "/proc/self/environ", "/dev/zero", "src/$(id).py", "src/*.py",
         "{secret}/key.txt", ".git/../../secret/key.txt", "./../secret/key.txt")  # fmt: skip
URLS = ("file:///etc/passwd", "ftp://ferry.dev/x", "gopher://127.0.0.1:70/x", "javascript:alert(1)",
        "data:text/html,x", "http://user:pw@127.0.0.1:{port}/", "http://evil@127.0.0.1:{port}/",
        "http://127.0.0.1:{port}/hit", "http://localhost:{port}/hit", "http://127.1:{port}/hit",
        "http://2130706433:{port}/hit", "http://0x7f000001:{port}/hit", "http://[::1]:{port}/hit",
        "http://[::ffff:127.0.0.1]:{port}/hit", "http://0.0.0.0:{port}/hit", "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/", "http://[fe80::1]/", "http://192.168.0.1/",
        "http://[64:ff9b::7f00:1]/", "http://127.0.0.1:{port}/a\r\nX: y", "http://127.0.0.1:0/",
        "http://ferry.dev:99999/", "http:///etc/passwd", "http://\u0261oogle.com/",
        "http://[::ffff:a9fe:a9fe]/", "http://metadata\u3002internal/")  # fmt: skip


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """(probe, arguments): each payload in each argument of each probe that could take it."""
    fine = {"path": "src/app.py", "text": "x", "symbol": "x", "branch": "main", "url":
            "https://ferry.dev/", "commit": "0123abcd", "number": 1, "repo": "ferry/harbor",
            "visibility": "public", "name": "KEY", "project": "harbor", "config": "prd", "cloud":
            "aws", "instance": "i-0abc12345", "place": "eu-west-1", "command": "make", "task":
            "deploy", "package": "flask", "version": "1.0", "job": "build",
            "port": 8081, "line": 1}  # fmt: skip
    for probe, about in PROBES.items():
        whole = {name: fine[name] for name in about.takes}
        for name, kind in about.takes.items():
            texts = [*SHELL[:3], OPTIONS[1], TEMPLATES[1], LOOK_ALIKES[0]]
            if kind == "path":
                texts = [*SHELL, *OPTIONS, *TEMPLATES, *LOOK_ALIKES, *PATHS]
            elif kind == "url":
                texts = [*SHELL, *OPTIONS, *TEMPLATES, *URLS]
            elif kind == "text?":
                texts = list(SHELL[5:])
            yield from ((probe, {**whole, name: text}) for text in texts)
        yield probe, {**whole, "shell": "true"}
        yield probe, {}


CASES = list(cases())


class _Server(HTTPServer):
    heard: list[str]


class _Hears(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        self.server.heard.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Stay quiet."""


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server(("127.0.0.1", 0), _Hears)
    made.heard = []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def secret(tmp_path: Path, project: Path) -> Path:
    """A file of somebody else's beside the project, and a link to it in the project."""
    write(tmp_path / "secret", {"key.txt": "x KEY deploy 8081\n"})
    (project / "outer").symlink_to(tmp_path / "secret")
    return tmp_path / "secret"


def _verified(store: Path, project: Path) -> tuple[list[Judged], list[str]]:
    """Every verdict, and every refusal's reason, as `memgit verify --root` would come to them."""
    opened = Store.at(store)
    roots: Roots = gather(opened, [project])
    files = [(path, opened.content(path)) for path in opened.paths()]
    read = list(readings(files, roots))
    refused = [one.reason for reading in read for one in reading.refused]
    return list(judge(read, roots, {}, datetime.now(UTC))), refused


def _memory(rows: list[dict[str, Any]]) -> str:
    head = dump_frontmatter({"name": "bad", "metadata": {"claims": rows}})
    return f"---\n{head}---\n\nThe words.\n"


def test_there_are_cases_enough() -> None:
    assert len(CASES) >= 300
    assert {probe for probe, _ in CASES} == set(PROBES)


def test_no_claim_runs_reads_or_reaches_anything(
    store: Path, project: Path, secret: Path, server: _Server, standins: StandIns, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    canary = tmp_path / "canary"
    for program in ("gh", "glab", "doppler", "gcloud", "aws", "make"):
        standins.put(program, {"*": (0, "[]", "")})
    about = {"canary": canary, "port": server.server_port, "secret": secret}
    read_outside = _watched(monkeypatch, project, store)
    for probe in PROBES:
        rows = []
        for raw in (arguments for name, arguments in CASES if name == probe):
            given = {name: value.format(**about) if isinstance(value, str) and "{" in value
                     else value for name, value in raw.items()}  # fmt: skip
            rows.append({"probe": probe, "args": given, "words": "The words."})
        write(store, {"bad.md": _memory(rows)})
        verdicts, refused = _verified(store, project)
        assert all(refused)
        assert len(refused) + len(verdicts) == len(rows)
        for one in verdicts:
            assert one.standing.why, one
            assert one.standing.verdict not in ("supported", "refuted"), one
    assert not canary.exists()
    assert server.heard == []
    assert read_outside == []
    for call in standins.calls:
        words = call["words"]
        assert isinstance(words, list)
        assert not any("touch" in word or word in OPTIONS for word in words), call


def _watched(monkeypatch: pytest.MonkeyPatch, *roots: Path) -> list[str]:
    """Paths outside of the roots of which our own code reads a byte."""
    from memgit.ports import inside

    outside: list[str] = []
    real = inside.read

    def read(root: Path, path: str) -> bytes | None:
        data = real(root, path)
        place = (root / path).resolve()
        if data is not None and not any(place.is_relative_to(one.resolve()) for one in roots):
            outside.append(str(place))
        return data

    monkeypatch.setattr(inside, "read", read)
    return outside


@pytest.mark.parametrize(
    "text",
    [
        "claims: !!python/object/apply:os.system ['touch canary']",
        "claims: !!python/object/new:subprocess.Popen [['touch', 'canary']]",
        "claims: &a [*a]",
        "claims: {probe: path_exists}",
        "claims: path_exists",
        "claims: [[[[[1]]]]]",
        "claims: [{probe: [path_exists], args: {path: x}, words: The words.}]",
        "claims: [{probe: path_exists, args: [path, x], words: The words.}]",
        "claims: [{probe: path_exists, args: {path: [x]}, words: The words.}]",
        "claims: [{probe: path_exists, args: {path: true}, words: The words.}]",
        "claims: [{probe: path_exists, args: {path: /etc/passwd}, words: Not said}]",
        "claims: [{probe: run, args: {command: touch canary}, words: The words.}]",
        "claims: [{probe: __class__, args: {}, words: The words.}]",
    ],
)
def test_frontmatter_that_means_harm_is_data(
    store: Path, project: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    write(store, {"bad.md": f"---\nname: bad\nmetadata:\n  {text}\n---\n\nThe words.\n"})
    verdicts, _ = _verified(store, project)
    assert verdicts == []
    assert not (project / "canary").exists()


@pytest.mark.parametrize(
    "text",
    [
        "`../secret/key.txt`", "[x](../../../secret/key.txt)", "`/etc/passwd.txt`",
        "`~/.ssh/config.txt`", "`outer/key.txt`", "`src/../../secret/key.txt`",
        "http://127.0.0.1:1/x", "`x = 1` in `../secret/key.txt`", "`KEY` in `outer/key.txt`",
        "port 8081 in `../secret/key.txt`",
    ],
)  # fmt: skip
def test_words_that_point_elsewhere_are_not_followed(
    store: Path, project: Path, secret: Path, text: str
) -> None:
    write(store, {"bad.md": f"See {text} for more.\n"})
    verdicts, _ = _verified(store, project)
    assert [one.standing.verdict for one in verdicts if one.standing.verdict != "unknown"] == []


def test_a_claim_about_a_file_of_another_repository_is_unknown(
    store: Path, project: Path, tmp_path: Path, git: Git
) -> None:
    other = tmp_path / "other"
    git(tmp_path, "init", "--quiet", str(other))
    write(other, {"src/theirs.py": "x\n"})
    body = "---\nmetadata:\n  project: github.com/ferry/other\n---\n\nIn `src/never.py`.\n"
    write(store, {"note.md": body})
    verdicts, _ = _verified(store, project)
    assert [(one.standing.verdict, "github.com/ferry/other" in one.standing.why)
            for one in verdicts] == [("unknown", True)]  # fmt: skip


@pytest.mark.parametrize(
    "forged",
    [
        "checked 2 d ago", "supported", "`src/app.py` not found, checked 2999-01-01",
        "`src/app.py` not found, checked 2026-01-01 (moved to `/etc/passwd`?)",
        "x not found, checked 2026-01-01 (moved to `a`?) (moved to `b`?)",
        "not found, checked 2026-01-01", "`a` not found,\nchecked 2026-01-01",
    ],
)  # fmt: skip
def test_a_forged_reason_reads_as_what_it_is(forged: str) -> None:
    found = Reason.parse(forged)
    assert found is None or str(found) == forged


def test_a_model_is_offered_no_command_and_no_option() -> None:
    told = json.dumps(claims_schema())
    for word in ("shell", "argv", "option", "cwd", "header", "body"):
        assert word not in told
    rows = claims_schema()["items"]["anyOf"]
    assert {row["properties"]["probe"]["const"] for row in rows} == set(PROBES)
    assert all(row["properties"]["args"]["additionalProperties"] is False for row in rows)


def test_every_kind_refuses_what_nobody_types() -> None:
    for name, check in KINDS.items():
        dashed = () if name == "text" else ("-x",)
        for value in (
            *dashed,
            "",
            "x\x00",
            "x\n",
            "\u202ex",
            "a" * 5000,
            None,
            True,
            1.5,
            -1,
            [],
            {},
        ):
            assert check(value), (name, value)  # type: ignore[arg-type]
