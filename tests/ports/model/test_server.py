"""A model server of this machine, in both forms; the server is real, its model is not."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from memgit.errors import UsageError
from memgit.ports.model.door import LimitReached, NoAnswer
from memgit.ports.model.server import ANTHROPIC, Server

SAID = [
    {"role": "system", "content": "be brief"},
    {"role": "user", "content": "one"},
    {"role": "user", "content": "two"},
]


class Handler(BaseHTTPRequestHandler):
    asked: ClassVar[list[tuple[str, Any]]] = []
    answer: ClassVar[tuple[int, bytes]] = (200, b"{}")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Handler.asked.append((self.path, json.loads(body)))
        status, data = Handler.answer
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Location", "http://192.0.2.1/")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    Handler.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_it_is_asked_in_the_form_of_openai(url: str) -> None:
    Handler.answer = 200, json.dumps({"choices": [{"message": {"content": "ANSWER: 4"}}]}).encode()
    assert Server(url, "small").reply(SAID) == "ANSWER: 4"
    path, body = Handler.asked[0]
    assert path == "/v1/chat/completions"
    assert body["messages"] == SAID
    assert (body["model"], body["temperature"]) == ("small", 0)


def test_it_is_asked_in_the_form_of_anthropic(url: str) -> None:
    Handler.answer = 200, json.dumps({"content": [{"type": "text", "text": "ANSWER: 4"}]}).encode()
    assert Server(url, "small", ANTHROPIC).reply(SAID) == "ANSWER: 4"
    path, body = Handler.asked[0]
    assert path == "/v1/messages"
    assert body["system"] == "be brief"
    assert body["messages"] == [{"role": "user", "content": "one\n\ntwo"}]


@pytest.mark.parametrize(
    ("status", "data"),
    [(500, b"out of memory"), (200, b"not json"), (200, b"{}"), (302, b""),
     (200, b'{"choices": [{"message": {"content": null}}]}')],
)  # fmt: skip
def test_what_is_no_reply_is_an_error(url: str, status: int, data: bytes) -> None:
    Handler.answer = status, data
    with pytest.raises(NoAnswer):
        Server(url, "small").reply(SAID)
    assert len(Handler.asked) == 1


def test_nobody_there_ends_the_run() -> None:
    with pytest.raises(LimitReached, match="nobody answers"):
        Server("http://127.0.0.1:9", "small").reply(SAID)


@pytest.mark.parametrize("url", ["http://192.0.2.7:80", "http://10.0.0.1", "http://[2001:db8::1]"])
def test_another_machine_is_not_asked(url: str) -> None:
    with pytest.raises(UsageError, match="not on this machine"):
        Server(url, "small").reply(SAID)


@pytest.mark.parametrize("url", ["https://127.0.0.1", "ftp://x", "127.0.0.1:80", ""])
def test_an_address_is_http(url: str) -> None:
    with pytest.raises(UsageError):
        Server(url, "small")
