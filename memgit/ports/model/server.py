"""A model server on this machine, asked over HTTP: OpenAI's or Anthropic's form of a conversation.

The one rule: only this machine is asked. A name that leads elsewhere is refused before anything is
sent, no proxy is used and no redirect followed.
"""

import http.client
import ipaddress
import json
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from memgit.errors import UsageError
from memgit.ports.model.door import LimitReached, NoAnswer

OPENAI, ANTHROPIC = "openai", "anthropic"
FORMS = (OPENAI, ANTHROPIC)

SECONDS = 300.0
"""How long one reply may take."""

LARGEST = 8_000_000
"""Bytes of an answer that are read."""


@dataclass(frozen=True)
class Server:
    """A model behind a URL of this machine. `form` tells how it wants to be asked."""

    url: str
    model: str
    form: str = OPENAI

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme != "http" or not parts.hostname:
            raise UsageError(f"{self.url}: no http:// address", "as in http://127.0.0.1:8080")

    def reply(self, messages: Sequence[Mapping[str, str]], longest: int = 2_048) -> str:
        """The reply to a conversation of `role` and `content`, at temperature 0.

        Raises NoAnswer where there is none, LimitReached where nobody is there to ask.
        """
        path, body = self._asked(messages, longest)
        answer = self._posted(path, json.dumps(body).encode("utf-8"))
        try:
            text = _openai(answer) if self.form == OPENAI else _anthropic(answer)
        except (KeyError, IndexError, TypeError):
            raise NoAnswer(f"{self.url}: the answer has no text", "see --form") from None
        if not isinstance(text, str):
            raise NoAnswer(f"{self.url}: the answer has no text", "see --form")
        return text

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in order, from an OpenAI-compatible server."""
        body = {"model": self.model, "input": list(texts)}
        answer = self._posted("/v1/embeddings", json.dumps(body).encode("utf-8"))
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            found = [[float(number) for number in row["embedding"]] for row in rows]
        except (KeyError, TypeError, ValueError):
            found = []
        if len(found) != len(texts) or len({len(vector) for vector in found}) != 1:
            raise NoAnswer(f"{self.url}: the answer has no vectors", "name a server that embeds")
        return found

    def _asked(
        self, messages: Sequence[Mapping[str, str]], longest: int
    ) -> tuple[str, Mapping[str, Any]]:
        said = [dict(one) for one in messages]
        base: dict[str, Any] = {"model": self.model, "max_tokens": longest, "temperature": 0}
        if self.form == OPENAI:
            return "/v1/chat/completions", {**base, "messages": said}
        system = "\n".join(one["content"] for one in said if one["role"] == "system")
        rest = [one for one in said if one["role"] != "system"]
        return "/v1/messages", {**base, "system": system, "messages": _alternating(rest)}

    def _posted(self, path: str, body: bytes) -> Any:
        parts = urlsplit(self.url)
        prefix = parts.path.rstrip("/").removesuffix("/v1")
        connection = http.client.HTTPConnection(self._address(), parts.port or 80, timeout=SECONDS)
        headers = {"Content-Type": "application/json", "Host": parts.netloc.rpartition("@")[2],
                   "anthropic-version": "2023-06-01"}  # fmt: skip
        try:
            connection.request("POST", prefix + path, body, headers)
            response = connection.getresponse()
            data = response.read(LARGEST)
        except ConnectionRefusedError:
            raise LimitReached(f"{self.url}: nobody answers there", "start the server") from None
        except (OSError, http.client.HTTPException) as fault:
            raise NoAnswer(f"{self.url}: {fault or type(fault).__name__}", "try again") from None
        finally:
            connection.close()
        if response.status != 200:
            said = " ".join(data[:200].decode("utf-8", "replace").split())
            raise NoAnswer(f"{self.url}: {response.status}: {said}", "see the server's log")
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise NoAnswer(f"{self.url}: the answer is no JSON", "see --form") from None

    def _address(self) -> str:
        """The one address that is connected to, of this machine."""
        parts = urlsplit(self.url)
        try:
            rows = socket.getaddrinfo(parts.hostname, parts.port or 80, type=socket.SOCK_STREAM)
        except OSError as fault:
            raise LimitReached(f"{self.url}: {fault}", "name an address of this machine") from None
        for row in rows:
            address = str(row[4][0])
            if ipaddress.ip_address(address.partition("%")[0]).is_loopback:
                return address
        raise UsageError(f"{self.url}: not on this machine", "only a server of your own is asked")


def _openai(answer: Any) -> Any:
    return answer["choices"][0]["message"]["content"]


def _anthropic(answer: Any) -> Any:
    return "".join(block["text"] for block in answer["content"] if block.get("type") == "text")


def _alternating(messages: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Messages in turn: what one side says in a row is one message."""
    found: list[dict[str, str]] = []
    for one in messages:
        if found and found[-1]["role"] == one["role"]:
            found[-1]["content"] += f"\n\n{one['content']}"
        else:
            found.append(dict(one))
    return found
