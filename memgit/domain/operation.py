"""An operation: one change as one commit, told by a subject line and trailers.

The one rule: what `git log` says of an operation is enough to tell who did what to which memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Operation:
    """`kind` is the verb (`add`, `import`, `init`); `actor` is `user` or the name of a pass."""

    kind: str
    subject: str
    memories: Sequence[str] = ()
    actor: str = "user"
    details: Sequence[str] = field(default=())

    def message(self) -> str:
        """The commit message: subject, details, trailers. One line each, whatever they hold."""
        trailers = [f"Memgit-Operation: {_line(self.kind)}", f"Memgit-Actor: {_line(self.actor)}"]
        trailers += [f"Memgit-Memory: {_line(name)}" for name in self.memories]
        head = f"{_line(self.kind)}: {_line(self.subject)}"[:200]
        body = [_line(detail) for detail in self.details]
        return "\n".join([head, "", *body, *([""] if body else []), *trailers, ""])


def _line(text: str) -> str:
    """One line of what can be printed: git takes no NUL, and a log is read on a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
