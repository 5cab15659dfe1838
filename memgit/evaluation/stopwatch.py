"""Timing of whole processes from outside, from before they are spawned until they are reaped.

The one rule: every contender is started in the same way, by one small interpreter that does
nothing else. A child's peak of memory is never below that of the process that spawned it, so the
starter must be no larger than the smallest contender.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

_STARTER = """
from posix import *
from sys import stdin, stdout
from time import perf_counter_ns
reading = O_RDONLY
writing = O_WRONLY | O_CREAT | O_TRUNC
while size := stdin.buffer.readline():
    given, out, err, *words = stdin.buffer.read(int(size)).split(b"\\0")
    files = [(POSIX_SPAWN_OPEN, 0, given, reading, 0), (POSIX_SPAWN_OPEN, 1, out, writing, 0o600),
             (POSIX_SPAWN_OPEN, 2, err, writing, 0o600)]
    start = perf_counter_ns()
    try:
        child = posix_spawn(words[0], words, environ, file_actions=files)
    except OSError:
        break
    _, status, used = wait4(child, 0)
    wall = perf_counter_ns() - start
    cpu = used.ru_utime + used.ru_stime
    stdout.write(f"{wall} {cpu} {used.ru_maxrss} {waitstatus_to_exitcode(status)}\\n")
    stdout.flush()
"""

_MAXRSS = 1 if sys.platform == "darwin" else 1024
"""Bytes of one unit of `ru_maxrss`."""


SLOW = 1_000.0
"""Milliseconds; a contender that takes longer in the first round is not warmed up further ..."""

FEW = 3
"""... and has so many runs only."""


class FailedRun(Exception):
    """A process that was to be timed ended with a fault; the message holds its own words."""


@dataclass(frozen=True)
class Command:
    """What to start: absolute program and arguments, and a file for its standard input."""

    words: tuple[str, ...]
    stdin: Path = Path(os.devnull)


@dataclass(frozen=True)
class Taken:
    """What one process took: milliseconds of wall clock and of processor, MB at its peak."""

    wall: float
    cpu: float
    rss: float
    output: bytes


class Stopwatch:
    """Starts and times processes; a context manager. `interpreter` runs the starter, bare."""

    def __init__(self, interpreter: str, scratch: Path) -> None:
        self._out = scratch / "stopwatch.out"
        self._err = scratch / "stopwatch.err"
        self._starter = subprocess.Popen(
            [interpreter, "-I", "-S", "-c", _STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> "Stopwatch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._starter.communicate()

    def time(self, command: Command) -> Taken:
        """Run one process to its end. Raises FailedRun unless it exits with 0."""
        answer = self._ask([str(command.stdin), str(self._out), str(self._err), *command.words])
        if not answer:
            raise FailedRun(f"{command.words[0]}: could not be started")
        wall, cpu, rss, status = answer
        if int(status):
            said = self._err.read_text("utf-8", "replace").strip().splitlines()
            why = said[-1] if said else f"exit code {status}"
            raise FailedRun(f"{' '.join(command.words[:4])}: {why}")
        return Taken(
            wall=int(wall) / 1e6,
            cpu=float(cpu) * 1e3,
            rss=int(rss) * _MAXRSS / 1e6,
            output=self._out.read_bytes(),
        )

    def _ask(self, fields: Sequence[str]) -> list[str]:
        """Hand one request to the starter; the words of its answer, none when it has died."""
        pipes = self._starter.stdin, self._starter.stdout
        assert pipes[0] is not None  # noqa: S101 - both were asked for
        assert pipes[1] is not None  # noqa: S101
        request = b"\0".join(map(os.fsencode, fields))
        with suppress(BrokenPipeError):
            pipes[0].write(b"%d\n%s" % (len(request), request))
            pipes[0].flush()
        return pipes[1].readline().decode("ascii").split()


def interleaved(
    stopwatch: Stopwatch,
    contenders: Mapping[str, Callable[[int], Command]],
    runs: int,
    told: Callable[[int, int], None],
) -> dict[str, list[Taken]]:
    """Time all contenders in turn, `runs` times, after two rounds that do not count.

    A contender is asked for the command of each round, untimed; those that do not count are -2 and
    -1. Every other round goes backwards (A B C D D C B A ...), so that no contender always follows
    the same other one. One that is `SLOW` has `FEW` runs.
    """
    taken: dict[str, list[Taken]] = {name: [] for name in contenders}
    slow: set[str] = set()
    for number in range(-2, runs):
        order = list(contenders) if number % 2 == 0 else list(contenders)[::-1]
        for name in order:
            if name in slow and not 0 <= number < FEW:
                continue
            measured = stopwatch.time(contenders[name](number))
            if number >= 0:
                taken[name].append(measured)
            elif measured.wall > SLOW:
                slow.add(name)
        told(max(0, number + 1), runs)
    return taken


def summary(values: Iterable[float]) -> dict[str, float]:
    """How many values, the least, the middle and the greatest, to three places."""
    found = list(values)
    return {
        "n": len(found),
        "min": round(min(found), 3),
        "median": round(statistics.median(found), 3),
        "max": round(max(found), 3),
    }


def ratios(taken: Sequence[Taken], base: Sequence[Taken]) -> dict[str, float]:
    """Wall clock against that of another contender, pair by pair, as far as both ran."""
    return summary(a.wall / b.wall for a, b in zip(taken, base, strict=False))
