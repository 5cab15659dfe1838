"""A loopback stand-in for the API of a model, so that a real agent runs offline.

The one rule: nothing leaves 127.0.0.1. An agent is given this server as its API and as its proxy,
so a request meant for anywhere else ends here too, is refused, and is noted in `strays`.
"""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]

Reply = Callable[[str, Json], tuple[str, str] | None]
"""From the path and the body of a request to the content type and text of the answer; None where
the path is none of the API's."""


class ModelApi:
    """The server, a context manager. `requests` holds each body that was answered, `url` is where
    it listens."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.requests: list[Json] = []
        self.strays: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.api = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "ModelApi":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def last(self) -> Json:
        """The newest request."""
        assert self.requests, "the model was asked nothing"
        return self.requests[-1]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: the tests look at what was asked."""

    def do_CONNECT(self) -> None:
        self._refuse()

    def do_GET(self) -> None:
        self._refuse()

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        api: ModelApi = self.server.api  # type: ignore[attr-defined]
        where = urlsplit(self.path)
        body = json.loads(data) if data and not where.netloc else {}
        answer = None if where.netloc else api.reply(where.path, body)
        if answer is None:
            return self._refuse()
        api.requests.append(body)
        kind, text = answer
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())
        return None

    def _refuse(self) -> None:
        self.server.api.strays.append(f"{self.command} {self.path}")  # type: ignore[attr-defined]
        self.send_response(403)
        self.send_header("content-length", "0")
        self.end_headers()


def events(*bodies: Json) -> tuple[str, str]:
    """Server-sent events, one for each body."""
    text = ""
    for body in bodies:
        text += f"event: {body['type']}\n" if "type" in body else ""
        text += f"data: {json.dumps(body)}\n\n"
    return "text/event-stream", text
