"""Printing: the same facts as text for people or as JSON for programs, behind one interface.

The one rule: data goes to stdout, talk goes to stderr; a command never asks which form is on.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from memgit.errors import StoreError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from memgit.ports.progress_bar import Bar

Each = TypeVar("Each")

Record = Mapping[str, Any]

Column = str | tuple[str, Callable[[Record], Any]]
"""A key of the rows, or a heading and what stands below it."""

NAME = 32
"""Cells of the first column on a terminal; what is longer is cut there, and whole in a pipe."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""What a terminal obeys or hides instead of showing it: controls, directions, half characters."""


class Printer(Protocol):
    """What a command says. `value` is the machine's form, `text` the person's."""

    def value(self, value: Any, text: str | Callable[[], str]) -> None:
        """One result: `value` as one JSON document, or `text`."""

    def rows(self, rows: Iterable[Record], columns: Sequence[Column]) -> None:
        """Many results: one JSON object a line, or a table of `columns`."""


class JsonPrinter:
    """JSON on stdout, one document or one object a line."""

    def value(self, value: Any, text: str | Callable[[], str]) -> None:
        """Print `value`."""
        self._print(value)

    def rows(self, rows: Iterable[Record], columns: Sequence[Column]) -> None:
        """Print each row whole; `columns` are for people."""
        for row in rows:
            self._print(row)

    @staticmethod
    def _print(value: Any) -> None:
        unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        text = json.dumps(value, ensure_ascii=not unicode)
        text = _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)
        put(f"{text}\n")


class TextPrinter:
    """Text on stdout, aligned by display width, coloured only on a terminal.

    What a memory says is shown, never obeyed: control characters come out as `\\x1b`.
    """

    def __init__(self, write: Callable[[str], None] | None = None) -> None:
        self._put = write or put

    def value(self, value: Any, text: str | Callable[[], str]) -> None:
        """Print `text`."""
        shown = coloured(visible(text if isinstance(text, str) else text()))
        self._put(shown.rstrip("\n") + "\n")

    def rows(self, rows: Iterable[Record], columns: Sequence[Column]) -> None:
        """Print a table without lines, a line for each row; nothing where there are no rows.

        On a terminal the last column takes what is left of the line, and is cut there.
        """
        from rich.table import Table

        to = console()
        fits = sys.stdout.isatty()  # FORCE_COLOR makes rich take anything for a terminal
        table = Table(box=None, pad_edge=False, header_style="dim", expand=fits)
        for place, column in enumerate(columns):
            table.add_column(
                column if isinstance(column, str) else column[0],
                no_wrap=True,
                max_width=NAME if fits and place == 0 else None,
                ratio=1 if place == len(columns) - 1 else None,
            )
        for row in rows:
            table.add_row(*(_cell(row, column) for column in columns))
        if not table.row_count:
            return
        with printing(), to.capture() as captured:  # it writes out what was printed before
            to.print(table)
        self._put("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def printer(as_json: bool) -> Printer:
    """The printer that `--json` chose."""
    return JsonPrinter() if as_json else TextPrinter()


@contextmanager
def paging(as_json: bool) -> Iterator[Printer]:
    """The printer that `--json` chose; text that is longer than the terminal goes through the
    person's pager. What is to be said beside it comes after.
    """
    from memgit.ports import pager

    if as_json or not (words := pager.wanted()):
        yield printer(as_json)
        return
    with pager.opened(words, put) as write:

        def shown(text: str) -> None:
            with printing():  # who leaves the pager has seen enough
                write(text)

        yield TextPrinter(shown)


class Unheard(Exception):
    """Whoever reads stdout has seen enough, as in `memgit list | head`."""


@contextmanager
def printing() -> Iterator[None]:
    """Around what writes to stdout. Raises Unheard, and StoreError where its disk takes no more."""
    try:
        yield
    except BrokenPipeError:
        raise Unheard from None
    except OSError as fault:
        raise StoreError(f"stdout: {fault.strerror}") from None


def put(text: str) -> None:
    """Print `text` as it is, on stdout."""
    with printing():
        sys.stdout.write(text)


def say(text: str) -> None:
    """Talk to the person, on stderr; where that takes nothing, there is nobody to tell."""
    with suppress(OSError):
        sys.stderr.write(f"{visible(text)}\n")


def visible(text: str) -> str:
    """Text whose control, direction and half characters are written out, line ends kept."""
    return _UNSEEN.sub(_written_out, text.replace("\r\n", "\n"))


def coloured(text: str) -> str:
    """Text with the colours that `page` and `table` put into it, and no others."""
    return text.replace(_ESCAPE, "\x1b")


_ESCAPE = f"\ue01b{os.urandom(8).hex()};"
"""Stands for the start of a colour of ours until a text is printed: no memory can know it."""


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def console() -> "Console":
    """A rich console on stdout that keeps text as it is: no markup, no guesses, no emoji codes."""
    from rich.console import Console

    piped = not sys.stdout.isatty()
    return Console(markup=False, emoji=False, highlight=False, width=10_000 if piped else None)


def page(lines: Iterable[tuple[str, str, str]]) -> str:
    """Prose from (margin, text, style): folded to the terminal, 80 columns where there is none.

    The margin starts the first line, spaces of its width the others. Colours come on a terminal.
    """
    from rich.console import Console
    from rich.text import Text

    to = Console(markup=False, emoji=False, highlight=False)
    with to.capture() as captured:
        for margin, text, style in lines:
            start = Text(visible(margin), style)
            said = Text(visible(text), style)
            for part in said.wrap(to, max(20, min(to.width, 100) - start.cell_len)):
                part.rstrip()
                to.print(start + part, soft_wrap=True)
                start = Text(" " * start.cell_len)
    return captured.get().replace("\x1b", _ESCAPE)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A small table without lines, folded to the terminal, 80 columns where there is none."""
    from rich.console import Console
    from rich.table import Table

    to = Console(markup=False, emoji=False, highlight=False)
    made = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*map(visible, row))
    return _drawn(to, made)


def gauges(rows: Iterable[tuple[str, str, int, int]]) -> str:
    """A gauge for each (name, unit, count, limit), 80 columns wide where there is no terminal.

    From four fifths on it is yellow, beyond the limit red.
    """
    from rich.console import Console
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    to = Console(markup=False, emoji=False, highlight=False)
    made = Table(box=None, pad_edge=False, show_header=False)
    for justify in ("left", "left", "left", "right", "right"):
        made.add_column(justify=justify, overflow="fold")
    for name, unit, count, limit in rows:
        share = count / limit if limit else float(count > 0)
        style = "red" if share > 1 else "yellow" if share >= 0.8 else "green"
        bar = ProgressBar(total=1.0, completed=min(share, 1.0), width=18, complete_style=style,
                          finished_style=style)  # fmt: skip
        made.add_row(name, unit, bar, f"{count:,} of {limit:,}", f"{share:.0%}")
    return _drawn(to, made)


def _drawn(to: "Console", made: "Table") -> str:
    """A table as text, nothing behind its last word."""
    with to.capture() as captured:
        to.print(made)
    lines = captured.get().replace("\x1b", _ESCAPE).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def clipped(text: str, columns: int) -> str:
    """A text cut to so many columns of a terminal, an ellipsis where it was longer."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= columns:
        return text
    return f"{set_cell_size(text, columns - 1).rstrip()}…"


@contextmanager
def progress(what: str) -> "Iterator[Bar]":
    """A progress line for work that may take over a second, from the first time it is told on."""
    from memgit.ports.progress_bar import Bar

    bar = Bar(what)
    try:
        yield bar
    finally:
        bar.end()


@contextmanager
def waiting(what: str) -> "Iterator[Bar]":
    """A progress line at once, for work that does not tell how far it is."""
    with progress(what) as bar:
        bar.stage(what)
        yield bar


def watched(every: Iterable[Each], what: str) -> Iterator[Each]:
    """Each of these; while the next one is made, a progress line, so that it may be printed."""
    following = iter(every)
    while True:
        with waiting(what):
            found = list(islice(following, 1))
        if not found:
            return
        yield found[0]


def _cell(row: Record, column: Column) -> str:
    value = row.get(column, "") if isinstance(column, str) else column[1](row)
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")
    return " ".join(visible(text).split())
