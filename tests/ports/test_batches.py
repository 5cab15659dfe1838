"""Batches of the API: many questions at once, each answered or not, in their order."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memgit.domain.spending import Ledger, Metered
from memgit.domain.store import Store
from memgit.ports.model import api as door
from memgit.ports.model.api import Api
from memgit.ports.model.door import Answer, LimitReached, NoAnswer, Request
from memgit.ports.model.many import answers
from tests.domain.test_spending import NOW

SCHEMA = {
    "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
    "additionalProperties": False,
}  # fmt: skip
ASKED = [Request("curate", "Count.", f"data {number}", SCHEMA) for number in range(3)]


class Batches(ThreadingHTTPServer):
    """A service that has done a batch when it is looked at for the second time."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.looks = 0
        self.never = False
        self.cancelled = False

    def batch(self) -> dict[str, Any]:
        done = self.cancelled or (self.looks > 1 and not self.never)
        url = f"http://127.0.0.1:{self.server_port}/v1/messages/batches/b1/results"
        return {
            "id": "b1", "type": "message_batch", "processing_status": "ended" if done else
            "in_progress", "request_counts": {"processing": 0, "succeeded": 0, "errored": 0,
            "canceled": 0, "expired": 0}, "created_at": "2026-11-30T00:00:00Z",
            "expires_at": "2026-12-01T00:00:00Z", "ended_at": None, "archived_at": None,
            "cancel_initiated_at": None, "results_url": url if done else None,
        }  # fmt: skip

    def results(self) -> str:
        rows = []
        for number, row in reversed(list(enumerate(self.asked))):
            text = json.dumps({"n": number}) if number != 1 else "no object"
            message = {
                "id": f"m{number}", "type": "message", "role": "assistant", "model": "m",
                "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
                "stop_sequence": None, "usage": {"input_tokens": 5, "output_tokens": 2},
            }  # fmt: skip
            result = {"type": "canceled"} if self.cancelled else {
                "type": "succeeded", "message": message}  # fmt: skip
            rows.append(json.dumps({"custom_id": row["custom_id"], "result": result}))
        return "".join(f"{row}\n" for row in rows)


class _Handler(BaseHTTPRequestHandler):
    server: Batches

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.split("?")[0].endswith("/cancel"):
            self.server.cancelled = True
        else:
            self.server.asked = json.loads(body)["requests"]
        self._send(json.dumps(self.server.batch()))

    def do_GET(self) -> None:
        if self.path.split("?")[0].endswith("/results"):
            self._send(self.server.results())
            return
        self.server.looks += 1
        self._send(json.dumps(self.server.batch()))

    def _send(self, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Batches]:
    pytest.importorskip("anthropic")
    with Batches() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
        monkeypatch.setattr(door, "BETWEEN", 0.05)
        yield server
        server.shutdown()


def test_each_answer_finds_its_question(served: Batches) -> None:
    one, two, three = Api("m").ask_many(ASKED, 30)
    assert isinstance(one, Answer)
    assert isinstance(three, Answer)
    assert (one.value, three.value) == ({"n": 0}, {"n": 2})
    assert isinstance(two, NoAnswer)
    assert "no JSON" in str(two)
    assert two.usage.input == 5
    (row, *_) = served.asked
    assert row["params"]["output_config"]["format"]["schema"] == SCHEMA


def test_a_batch_that_takes_too_long_is_given_up(served: Batches) -> None:
    served.never = True
    found = Api("m").ask_many(ASKED, 0.2)
    assert served.cancelled
    assert [str(one) for one in found] == ["api: the batch's request is canceled"] * 3


def test_settings_choose_batches_and_the_ledger_counts_each(served: Batches, store: Path) -> None:
    def metered(text: str) -> Metered:
        (store / "memgit.toml").write_text(f"format = 1\n[model]\n{text}")
        return Metered(Api("m"), Ledger(Store.at(store)), lambda: NOW)

    assert metered("").ask_many(ASKED, 30) is None
    wanted = metered("batches = true\n")
    with pytest.raises(NoAnswer, match="no JSON"):
        list(answers(wanted, ASKED))
    calls = wanted.ledger.calls()
    assert [(call.usage.tokens, bool(call.failed)) for call in calls] == [
        (7, False), (7, True), (7, False),
    ]  # fmt: skip
    with pytest.raises(LimitReached):
        list(answers(metered("batches = true\ncalls_per_day = 5\n"), ASKED))
