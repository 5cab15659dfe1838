"""Tools over the Model Context Protocol, on stdin and stdout, by the official SDK.

The one rule: the SDK is an extra, loaded when it serves and by nothing else; a fault is told to the
host in one line, and ends one call and not the server.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from importlib.util import find_spec
from typing import Protocol

from memgit import __version__
from memgit.errors import MemgitError, UsageError

MOST = 500
"""Characters of one fault: it may repeat what the host sent, and that has any size."""


class Offered(Protocol):
    """A tool: what it is called, what it does, and whether it writes."""

    @property
    def name(self) -> str: ...

    @property
    def function(self) -> Callable[..., str]: ...

    @property
    def about(self) -> str: ...

    @property
    def writes(self) -> bool: ...


def serve(name: str, instructions: str, tools: Sequence[Offered]) -> None:
    """Answer one host until it closes stdin. Raises UsageError where the SDK is missing."""
    if find_spec("mcp") is None:
        raise UsageError(
            "MCP needs the extra `mcp`, which is not installed",
            "pip install 'memgit-tools[mcp]'",
        )
    from mcp.server.mcpserver import MCPServer
    from mcp.types import ToolAnnotations

    server = MCPServer(name, instructions=instructions, version=__version__, log_level="ERROR")
    for tool in tools:
        hints = ToolAnnotations(
            read_only_hint=not tool.writes, destructive_hint=False, open_world_hint=False
        )
        server.add_tool(
            _told(tool.function), tool.name, description=tool.about, annotations=hints,
            structured_output=False,
        )  # fmt: skip
    server.run("stdio")


def _told(function: Callable[..., str]) -> Callable[..., str]:
    """The function with its faults in the form that the SDK hands on."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(function)
    def call(**given: object) -> str:
        try:
            return function(**given)
        except MemgitError as fault:
            raise ToolError("; ".join(filter(None, (_line(str(fault)), fault.hint)))) from None

    return call


def _line(text: str) -> str:
    """One line of bounded size, without characters that do not show."""
    shown = "".join(c if c.isprintable() else " " for c in text[: MOST + 1])
    return shown if len(shown) <= MOST else f"{shown[:MOST]}..."
