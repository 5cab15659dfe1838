"""Real git servers on loopback: smart HTTP through `git http-backend`, and `git daemon`.

The one rule: they run git itself; what is ours is the few lines of CGI between a socket and it.
"""

import base64
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BLOCK = 1 << 16


class _Handler(BaseHTTPRequestHandler):
    """One request handed to `git http-backend` as CGI."""

    protocol_version = "HTTP/1.1"
    root = Path()
    password: str | None = None

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, format: str, *arguments: object) -> None:
        """Stay quiet."""

    def _serve(self) -> None:
        body = self._body()
        if not self._is_let_in():
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="store"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        env = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "somebody",
            "REMOTE_ADDR": "127.0.0.1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, capture_output=True, env=env, check=False
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().splitlines() if ": " in line]
        status = next((value for name, value in fields if name == "Status"), "200 OK")
        self.send_response(int(status.split()[0]))
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _is_let_in(self) -> bool:
        if self.password is None:
            return True
        wanted = base64.b64encode(f"somebody:{self.password}".encode()).decode()
        return self.headers.get("Authorization") == f"Basic {wanted}"

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)


class _Server(ThreadingHTTPServer):
    """A server to which clients may be killed."""

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is gone is no fault of the server."""


@contextmanager
def http_server(root: Path, password: str | None = None) -> Iterator[str]:
    """Serve the bare repositories in `root`; yields the address that they are below."""
    handler = type("Handler", (_Handler,), {"root": root, "password": password})
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def git_daemon(root: Path) -> Iterator[str]:
    """Serve the bare repositories in `root` by git's own protocol."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        ["git", "daemon", "--reuseaddr", f"--base-path={root}", "--export-all",
         "--listen=127.0.0.1", f"--port={port}", "--enable=receive-pack", "--max-connections=64",
         str(root)],
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        _wait_for(port)
        yield f"git://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, 15)
        process.wait()


def _wait_for(port: int) -> None:
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def bare(root: Path, name: str = "store.git") -> Path:
    """An empty bare repository that takes pushes."""
    folder = root / name
    subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "config", "http.receivepack", "true"], check=True)
    return folder
