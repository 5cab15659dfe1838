"""The shell around each hook: the event in, one JSON object or nothing out, and the end in time.

The one rule: it never blocks and never fails loudly. Whatever goes wrong ends in silence, exit
code 0, and a line in the store's `recall.log`, which `memgit doctor` reads.
"""

import sys
import time

from memgit.prompt import place
from memgit.prompt.table import load_json

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    Options = dict[str, str]
    Answer = Callable[["Call"], None]

DEADLINE = 0.15
"""Seconds after which the process ends in silence, wherever it is."""

LARGEST_INPUT = 32 * 1024 * 1024
"""Bytes of input that are read; a larger event is not answered."""

LOG = "recall.log"
LOG_SIZE = 64 * 1024
"""Bytes after which the log starts anew."""

TIMES = "latency.log"
OLDER_TIMES = "latency.older.log"
TIMES_SIZE = 32 * 1024
"""Bytes after which the file of times takes the place of the older one: some 1,200 prompts."""


class TooLate(Exception):
    """The deadline came before the answer."""


class Call:
    """One event of one agent: what it says, the store it is for, and how the hook was set up.

    `where` is the store's derived folder, `environment` the process's. `options` are the words
    after `--` in the hook's arguments, each with the word that follows it. `outcome` is what
    became of it, in a word.
    """

    def __init__(self, options: "Options") -> None:
        # What the start of the interpreter took is only known as the processor's time.
        self.began = time.perf_counter() - time.process_time()
        self.outcome = "silent"
        self.options = options
        self.event: dict[str, Any] = {}
        self.root = ""
        self.where = ""
        self.environment: dict[str, str] = {}

    def begin(self, environment: "dict[str, str]") -> None:
        """Find the store and read the event from stdin."""
        self.environment = environment
        self.root = place.find(self.options.get("store", ""), environment)
        self.where = place.derived(self.root)
        event = load_json(sys.stdin.buffer.read(LARGEST_INPUT).decode("utf-8", "replace"))
        if not isinstance(event, dict):
            raise ValueError("the event is not a JSON object")
        self.event = event

    def room(self, units: int) -> int:
        """As many UTF-16 units of text, or fewer where the agent was said to take fewer."""
        return min(units, int(self.options.get("most", units)))

    def log(self, fault: BaseException) -> None:
        """Leave a line for `memgit doctor`; where even that fails, say nothing."""
        try:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            said = "".join(c if c.isprintable() else " " for c in str(fault))
            line = f"{stamp} {type(fault).__name__}: {said}"[:500] + "\n"
            with place.appending(f"{self.where}/{LOG}") as file:
                if file.tell() > LOG_SIZE:
                    file.truncate(0)
                file.write(line.encode("utf-8", "replace"))
        except Exception:  # noqa: S110 - there is nobody left to tell
            pass

    def took(self, outcome: str) -> None:
        """Note how long a prompt of a session took, once its answer is out, in microseconds."""
        if not (self.event.get("prompt") and self.event.get("session_id")):
            return
        spent = int(1e6 * (time.perf_counter() - self.began))
        path = f"{self.where}/{TIMES}"
        try:
            with place.appending(path) as file:
                file.write(b"%d %06d %s\n" % (time.time(), spent, outcome.encode()))
                if file.tell() > TIMES_SIZE:
                    from memgit.prompt.ledger import turn_over

                    turn_over(file, path, f"{self.where}/{OLDER_TIMES}")
        except OSError:  # nothing depends on it
            pass


def run(arguments: "list[str]", answer: "Answer", deadline: float = DEADLINE) -> "NoReturn":
    """Let `answer` deal with one event from stdin, and end the process within `deadline` s."""
    from posix import _exit, environ

    call = Call(_options(arguments))
    try:
        _arm(call, _exit, deadline)
        settings = {
            key.decode("utf-8", "replace"): value.decode("utf-8", "surrogateescape")
            for key, value in environ.items()
        }
        if not settings.get("MEMGIT_HARVEST"):
            call.begin(settings)
            answer(call)
            call.took(call.outcome)
    except BaseException as fault:  # a loud fault would stand between the person and the agent
        call.log(fault)
        call.took("fault")
    _exit(0)


def speak(event: str, text: str) -> None:
    """Give the agent `text` as the context that a hook of `event` adds; where that is "", the text
    itself. Called once at most.
    """
    from _json import encode_basestring_ascii

    said = text
    if event:
        said = (
            f'{{"hookSpecificOutput": {{"hookEventName": "{event}", '
            f'"additionalContext": {encode_basestring_ascii(text)}}}}}'
        )
    # Half an object would reach the agent as it is, so while it is said the deadline is the host's.
    _within(0)
    sys.stdout.buffer.write(said.encode("utf-8", "replace"))
    sys.stdout.flush()
    _within(DEADLINE)


def _options(arguments: "list[str]") -> "Options":
    following = [*arguments[1:], ""]
    return {
        word[2:]: after
        for word, after in zip(arguments, following)  # noqa: B905 - equally long
        if word.startswith("--")
    }


def _arm(call: Call, leave: "Any", deadline: float) -> None:
    """End the process in silence when the deadline comes, also while it waits for input."""
    import _signal  # type: ignore[import-not-found]  # `signal` would bring `enum` along

    def late(number: int, frame: object) -> None:
        call.log(TooLate(f"no answer within {deadline} s"))
        call.took("late")
        leave(0)

    _signal.signal(_signal.SIGALRM, late)
    _within(deadline)


def _within(seconds: float) -> None:
    """Let the deadline come in so many seconds from now; 0 is never."""
    import _signal

    _signal.setitimer(_signal.ITIMER_REAL, seconds)
