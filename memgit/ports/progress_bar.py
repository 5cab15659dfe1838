"""A progress line, drawn by rich.

The one rule: it is drawn on stderr, on a terminal that can redraw a line, and it is gone in the
end; rich is imported when there is something to draw.
"""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Bar:
    """A progress line on stderr. It is told (done, in all), or that a `stage` began whose length
    nobody knows; nothing is shown before that, and nothing where stderr is no terminal.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown: tuple[Progress, TaskID] | None = None
        self._is_seen = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def __call__(self, done: int, total: int) -> None:
        """So many are done."""
        if self._is_seen:
            bar, task = self._shown = self._shown or self._started()
            bar.update(task, completed=done, total=total, count=f"{done:,}/{total:,}")

    def stage(self, what: str) -> None:
        """Something begins."""
        self._what = what
        if self._is_seen:
            bar, task = self._shown = self._shown or self._started()
            bar.reset(task, total=None, description=what, count="")
            bar.refresh()  # also of one that ends before the next time it is drawn

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown[0].stop()

    def _started(self) -> "tuple[Progress, TaskID]":
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(),
                   TextColumn("{task.fields[count]}"), TimeElapsedColumn())  # fmt: skip
        bar = Progress(
            *columns, console=Console(stderr=True), transient=True, redirect_stdout=False
        )
        bar.start()
        return bar, bar.add_task(self._what, total=None, count="")
