"""A loopback stand-in for the Messages API, so that the real Claude Code CLI runs offline.

The one rule: nothing leaves 127.0.0.1. The CLI is given this server as its API and as its proxy,
so a request meant for anywhere else ends here too, is refused, and is noted in `strays`.

Replies are scripted, requests are kept as they came:

    with MessagesApi() as api:
        api.script(tool_use("Write", file_path="/x/a.md", content="..."), "Saved.")
        ...                  # the CLI asks, runs the tool, asks again
        api.last.text        # all that the model was sent
"""

import itertools
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from .replies import Failure, Hang, Json, Reply, as_error, as_events, as_message, error, text

# How the CLI words its request for a summary when it compacts a conversation.
ASKS_FOR_SUMMARY = "<analysis> block followed by a <summary> block"

Scripted = str | Reply | Callable[["Request"], str | Reply]


@dataclass(frozen=True)
class Request:
    """One POST /v1/messages, as it came."""

    body: Json
    headers: Mapping[str, str] = field(repr=False)  # names in lower case

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def session_id(self) -> str:
        """The CLI session that asked; empty for other clients."""
        return self.headers.get("x-claude-code-session-id", "")

    @property
    def tools(self) -> list[str]:
        """Names of the tools on offer."""
        return [str(tool.get("name", "")) for tool in self.body.get("tools") or ()]

    @property
    def system(self) -> str:
        """The system prompt as one text."""
        return "\n".join(_texts(self.body.get("system")))

    @property
    def messages(self) -> list[Json]:
        return list(self.body.get("messages") or ())

    @property
    def text(self) -> str:
        """All words of all messages, tool results included; the system prompt is not among them."""
        return "\n".join(
            words for message in self.messages for words in _texts(message.get("content"))
        )

    def count_contexts(self, event: str = "UserPromptSubmit") -> int:
        """How many contexts of hooks of this event it carries, those of earlier turns included."""
        kinds = ("additional context", "success")
        return sum(self.text.count(f"{event} hook {kind}: ") for kind in kinds)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content or ():
        if block.get("type") == "text":
            yield str(block["text"])
        elif block.get("type") == "tool_result":
            yield from _texts(block.get("content"))


class MessagesApi:
    """The server. A context manager; `url` is what ANTHROPIC_BASE_URL wants.

    `default` answers when the script is used up, and `summary` when the CLI compacts a
    conversation; requests for a summary leave the script alone.
    """

    def __init__(self) -> None:
        self.default: Scripted = "OK."
        self.summary = "<analysis>All read.</analysis>\n<summary>What was said before.</summary>"
        self.requests: list[Request] = []
        self.others: list[str] = []  # other calls of the API: "POST /v1/messages/count_tokens"
        self.strays: list[str] = []  # calls of other hosts, all refused
        self.closing = threading.Event()
        self._script: list[Scripted] = []
        self._faults: list[BaseException] = []
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "MessagesApi":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        if self._faults and kind is None:
            raise self._faults[0]

    @property
    def last(self) -> Request:
        """The newest request."""
        assert self.requests, "the model was asked nothing"
        return self.requests[-1]

    def script(self, *replies: Scripted) -> None:
        """Queues replies, one per request: a text, a reply, or a function of the request."""
        with self._lock:
            self._script.extend(replies)

    def reply_to(self, request: Request) -> Reply:
        """Notes the request and picks its reply. For the server's handler."""
        with self._lock:
            self.requests.append(request)
            if request.messages and ASKS_FOR_SUMMARY in "".join(
                _texts(request.messages[-1].get("content"))
            ):
                return text(self.summary)
            scripted = self._script.pop(0) if self._script else self.default
        reply = scripted(request) if callable(scripted) else scripted
        return text(reply) if isinstance(reply, str) else reply

    def fault(self, exception: BaseException) -> None:
        """Keeps what went wrong in a thread, to be raised when the server closes."""
        self._faults.append(exception)

    def new_id(self, prefix: str) -> str:
        """An id that this server gives once, such as "toolu_0000000007"."""
        return f"{prefix}_{next(self._ids):010}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a connection that hangs must not hold up the end of a test
    api: MessagesApi

    def handle_error(self, request: Any, client_address: Any) -> None:
        exception = sys.exception()
        # A client that went away is no fault: the CLI is stopped in the middle of some tests.
        if exception and not isinstance(exception, ConnectionError):
            self.api.fault(exception)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        if self._is_stray():
            return
        if path == "/v1/messages":
            self._answer(json.loads(body))
            return
        self.server.api.others.append(f"POST {path}")
        tokens = {"input_tokens": len(body) // 4}
        self._send_json(200, tokens if path.endswith("/count_tokens") else {})

    def do_GET(self) -> None:
        if self._is_stray():
            return
        path = urlsplit(self.path).path
        self.server.api.others.append(f"{self.command} {path}")
        if path == "/v1/models":
            self._send_json(200, {"data": [], "has_more": False})
        elif self.command == "HEAD":
            self._send_json(200, {})
        else:
            self._send_error(404, f"no {path} here")

    do_HEAD = do_GET

    def do_CONNECT(self) -> None:
        self._is_stray()

    def _is_stray(self) -> bool:
        if self.command != "CONNECT" and self.path.startswith("/"):
            return False
        self.server.api.strays.append(f"{self.command} {self.path}")
        self.close_connection = True
        self._send_error(403, "the tests stay on this machine")
        return True

    def _answer(self, body: Json) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            reply = self.server.api.reply_to(Request(body, headers))
        except Exception as exception:
            self.server.api.fault(exception)
            reply = error(500, f"the script of the test failed: {exception!r}")
        if isinstance(reply, Hang):
            self.server.api.closing.wait()
            self.close_connection = True
        elif isinstance(reply, Failure):
            self._send_error(reply.status, reply.message)
        else:
            message = as_message(reply, body, self.server.api.new_id)
            self._stream(message) if body.get("stream") else self._send_json(200, message)

    def _stream(self, message: Json) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("request-id", self.server.api.new_id("req"))
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in as_events(message):
            data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _send_error(self, status: int, message: str) -> None:
        self._send_json(status, as_error(Failure(status, message)))

    def _send_json(self, status: int, value: Json) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("request-id", self.server.api.new_id("req"))
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
