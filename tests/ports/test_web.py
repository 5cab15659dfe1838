"""Whether a URL answers: against a real server on this machine, and against names that lie."""

import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from memgit.domain.claims.arguments import KINDS
from memgit.domain.claims.claim import Claim
from memgit.domain.claims.scene import Scene, World
from memgit.domain.claims.table import PROBES
from memgit.domain.claims.verdict import Life, Sign
from memgit.passes.verify import _side_by_side
from memgit.ports import web

JUDGE = KINDS["url"]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    heard: list[str]


class _Answers(BaseHTTPRequestHandler):
    """Answers with the status in the path; `hang` and `reset` do what they say."""

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        self.server.heard.append(self.path)
        what, _, rest = self.path.strip("/").partition("/")
        if what == "hang":
            time.sleep(3)
            return
        if what == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            self.connection.close()
            return
        if what == "garbage":
            self.wfile.write(b"\x00\x01 no http\r\n\r\n")
            return
        if what == "drip":
            for _ in range(100):
                self.wfile.write(b"H")
                time.sleep(0.1)
            return
        self.send_response(int(what) if what.isdigit() else 200)
        if what in ("301", "302", "307"):
            self.send_header("Location", rest)
        self.end_headers()
        self.wfile.write(b"x" * 10_000)

    def log_message(self, format: str, *arguments: object) -> None:
        """Stay quiet."""


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server(("127.0.0.1", 0), _Answers)
    made.heard = []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    web._looked_up.cache_clear()
    yield made
    made.shutdown()
    made.server_close()


def _url(server: _Server, path: str) -> str:
    return f"http://127.0.0.1:{server.server_port}/{path}"


@pytest.mark.parametrize("status", [200, 204, 206])
def test_what_answers_is_alive(server: _Server, status: int) -> None:
    answer = web.get(_url(server, str(status)), JUDGE, allow_private=True)
    assert answer.status == status


@pytest.mark.parametrize("path", ["401", "404", "410", "500", "503", "reset", "garbage"])
def test_what_does_not_answer_well_is_told(server: _Server, path: str) -> None:
    answer = web.get(_url(server, path), JUDGE, allow_private=True)
    assert not 200 <= answer.status < 300
    assert answer.why


@pytest.mark.parametrize("path", ["hang", "drip"])
def test_what_hangs_is_left(server: _Server, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "PATIENCE", 0.5)
    monkeypatch.setattr(web, "LONGEST", 1.0)
    start = time.monotonic()
    answer = web.get(_url(server, path), JUDGE, allow_private=True)
    assert (answer.status, time.monotonic() - start < 2.5) == (0, True)


def test_a_redirect_is_followed_a_few_times(server: _Server) -> None:
    assert web.get(_url(server, "302//200"), JUDGE, allow_private=True).status == 200
    loop = web.get(_url(server, "301//301"), JUDGE, allow_private=True)
    assert loop.status != 200


@pytest.mark.parametrize(
    "to",
    ["file:///etc/passwd", "ftp://ferry.dev/x", "http://me:pw@127.0.0.1/", "gopher://127.0.0.1/"],
)
def test_a_redirect_is_judged_again(server: _Server, to: str) -> None:
    answer = web.get(_url(server, f"302/{to}"), JUDGE, allow_private=True)
    assert (answer.status, answer.why.startswith("refused")) == (0, True)


def test_a_redirect_to_this_machine_is_refused(
    server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address of the open net sends us to one of ours: the second is never connected to."""
    port = server.server_port
    monkeypatch.setattr(web, "unfit", lambda address: "" if address == "127.0.0.1" else "private")
    answer = web.get(_url(server, f"302/http://127.0.0.2:{port}/200"), JUDGE)
    assert (answer.status, "127.0.0.2 is 127.0.0.2, private" in answer.why) == (0, True)
    assert len(server.heard) == 1


def test_a_name_is_looked_up_once_and_that_address_is_used(
    server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that changes its address between the judgement and the connection gains nothing."""
    told: list[str] = []
    addresses = iter(["127.0.0.1", "127.0.0.9", "127.0.0.9"])

    def look_up(host: str, port: int, **options: object) -> list[object]:
        told.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(addresses), port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(web, "unfit", lambda address: "" if address == "127.0.0.1" else "private")
    answer = web.get(f"http://sly.ferry.dev:{server.server_port}/200", JUDGE)
    assert (answer.status, told) == (200, ["sly.ferry.dev"])


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 80))
            for one in ("93.184.215.14", "10.0.0.1")]  # fmt: skip
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: rows)
    web._looked_up.cache_clear()
    assert "10.0.0.1, private" in web.get("http://two.ferry.dev/", JUDGE).why


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1",
     "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "198.18.0.1", "::1", "::",
     "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
     "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "nonsense"],
)  # fmt: skip
def test_addresses_that_are_not_of_the_open_net(address: str) -> None:
    assert web.unfit(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700:4700::1111", "1.1.1.1"])
def test_addresses_of_the_open_net(address: str) -> None:
    assert web.unfit(address) == ""


def test_the_type_of_its_answer_has_no_refutation() -> None:
    assert {one.value for one in Life} == {"supported", "unknown"}
    assert PROBES["url_answers"].failed == ""
    with pytest.raises(ValueError, match="refuted"):
        Life("refuted")


def test_of_a_thousand_urls_none_is_refuted(
    server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "PATIENCE", 0.2)
    kinds = ("200", "301//200", "401", "404", "500", "reset", "garbage", "302/http://[bad")
    paths = [kinds[n % len(kinds)] for n in range(980)] + ["hang"] * 20
    scene = Scene(world=World(allow_private=True))
    asked = {
        str(number): (Claim("url_answers", {"url": _url(server, path)}, path), scene)
        for number, path in enumerate(paths)
    }
    said = dict(_side_by_side(asked))
    assert all(isinstance(one, Sign) for one in said.values())
    counts = Counter(str(one.verdict) for one in said.values())
    assert counts["refuted"] == 0
    assert counts == {"supported": 246, "unknown": 754}
