"""`memgit` for many short runs: one process imports it, and each run is a fork of that.

The one rule: a run has its own process, folder, environment, streams and exit code, as if it had
been started anew. Started as `forking.py SOCKET`, this is the server; `CLIENT` is what is typed.
"""

import gc
import json
import os
import posix
import socket
import sys
import traceback
from contextlib import suppress

import click

CLIENT = """\
#!{python} -IS
import array, json, os, socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect({socket!r})
told = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
line.sendmsg([len(told).to_bytes(4, "big")],
             [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
line.sendall(told)
status = line.recv(1)
sys.exit(status[0] if status else 70)
"""
"""The program that is put on PATH: hands over its streams, and waits for the exit code."""


def serve(path: str) -> None:
    """Answer until killed."""
    from memgit.cli import VERBS, Verbs

    verbs = Verbs("memgit")
    for verb in VERBS:
        verbs.get_command(click.Context(verbs), verb)
    gc.freeze()  # a fork need not copy what was imported
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        while True:
            line, _ = door.accept()
            if os.fork() == 0:
                door.close()
                run(line)
            line.close()
            bury()


def bury() -> None:
    """Take note of the runs that are over, so that their time counts as this process's."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def run(line: socket.socket) -> None:
    """One run, in a process of its own; never returns."""
    from memgit.cli import main

    head, streams, _, _ = socket.recv_fds(line, 4, 3)
    with line.makefile("rb") as told:
        arguments, folder, environment = json.loads(told.read(int.from_bytes(head, "big")))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["memgit", *arguments]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115  # by the line
    sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
    status, leave = 70, os._exit

    def end(status: int) -> None:  # as a hook does by itself
        line.send(bytes([status]))
        leave(0)

    posix._exit = end
    try:
        main()
    except SystemExit as done:
        status = done.code if isinstance(done.code, int) else 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    end(status)


if __name__ == "__main__":
    serve(sys.argv[1])
