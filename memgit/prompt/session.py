"""What a session has been shown, so that nothing is said twice: one small file for each session.

The one rule: lines are only appended, each with one write, so that two hooks that run at once for
the same prompt see each other, and only the first of them speaks.
"""

SAME_PROMPT = 5_000
"""Milliseconds within which the same prompt without an id is taken for the same event."""


class Session:
    """The session's file in the store's derived folder; a session without an id has no memory."""

    def __init__(self, derived: str, session: str) -> None:
        name = "".join(c if c.isalnum() and c.isascii() else "-" for c in session)[:80]
        self.path = f"{derived}/sessions/{name}" if name.strip("-") else ""

    def claim(self, prompt: str, now_ns: int) -> bool:
        """Whether this process is the first to answer this prompt. `prompt` is its id or text."""
        if not self.path:
            return True
        key = int.from_bytes(prompt.encode("utf-8", "replace"), "little") % (2**61 - 1)
        mine = f"claim {key:x} {now_ns // 1_000_000} {now_ns}"
        self._append(mine)
        for line in self._lines():
            kind, _, rest = line.partition(" ")
            if kind == "claim" and rest.startswith(f"{key:x} "):
                if line == mine:
                    return True
                if now_ns // 1_000_000 - int(rest.split(" ")[1]) < SAME_PROMPT:
                    return False
        return True

    def shown(self) -> "set[str]":
        """Which memories this session has seen, each as path and content."""
        if not self.path:
            return set()
        return {line.partition(" ")[2] for line in self._lines() if line.startswith("shown ")}

    def add(self, memories: "list[str]") -> None:
        """Note that these memories were shown."""
        if self.path:
            self._append("\n".join(f"shown {memory}" for memory in memories))

    def _append(self, text: str) -> None:
        data = f"{text}\n".encode("utf-8", "replace")
        try:
            file = open(self.path, "ab", 0)  # noqa: SIM115
        except FileNotFoundError:
            from posix import mkdir

            mkdir(self.path.rpartition("/")[0], 0o700)
            file = open(self.path, "ab", 0)  # noqa: SIM115
        with file:
            file.write(data)

    def _lines(self) -> "list[str]":
        with open(self.path, "rb") as file:
            return file.read().decode("utf-8", "replace").splitlines()
