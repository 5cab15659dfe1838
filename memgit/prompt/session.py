"""What a session has been shown, so that nothing is said twice: one small file for each session.

The one rule: lines are only appended, each with one write, so that two hooks that run at once for
the same prompt see each other, and only the first of them speaks.
"""

from posix import O_NOFOLLOW

from memgit.prompt.place import appending, content

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from io import FileIO

SAME_PROMPT = 5_000
"""Milliseconds within which the same prompt is taken for the same event: a hook that is wired
twice runs twice at once, and one that took longer was ended by the host."""

FOLDER = "sessions"


class Session:
    """The session's file in the store's derived folder; a session without an id has no memory.

    Where nothing can be written, nothing is remembered and every answer is given: `fault` then
    tells why.
    """

    def __init__(self, derived: str, session: str) -> None:
        name = "".join(c if c.isalnum() and c.isascii() else "-" for c in session)[:80]
        self.path = f"{derived}/{FOLDER}/{name}" if name.strip("-") else ""
        self.fault: OSError | None = None

    def claim(self, prompt: str, now_ns: int) -> bool:
        """Whether this process is the first to answer this prompt. `prompt` is its id or text."""
        from posix import getpid

        text = f"{len(prompt)} {prompt[:2000]}".encode("utf-8", "replace")
        key = int.from_bytes(text, "little") % (2**61 - 1)
        now = now_ns // 1_000_000
        mine = f"claim {key:x} {now} {now_ns}.{getpid()}"
        if not self._append(mine):
            return True
        # Every process reads the same lines in the same order, so all agree on who may speak.
        spoken = -SAME_PROMPT
        for line in self._lines():
            if line.startswith(f"claim {key:x} "):
                then = line.split(" ")[2]
                first = then.isdecimal() and abs(int(then) - spoken) >= SAME_PROMPT
                spoken = int(then) if first else spoken
                if line == mine:
                    return first
        return True

    def shown(self) -> "set[str]":
        """Which memories this session has seen, by their content's id."""
        found: set[str] = set()
        for line in self._lines():
            kind, _, memory = line.partition(" ")
            if kind == "shown":
                found.add(memory)
            elif kind == "forget":
                found.clear()
        return found

    def add(self, memories: "list[str]") -> None:
        """Note that these memories were shown."""
        self._append("\n".join(f"shown {memory}" for memory in memories))

    def forget(self) -> None:
        """Note that the agent no longer has what it was shown."""
        if self._lines():
            self._append("forget")

    def _append(self, text: str) -> bool:
        """Whether it was written."""
        if not self.path:
            return False
        data = f"{text}\n".encode("utf-8", "replace")
        try:
            with opened(self.path) as file:
                return bool(file.write(data) == len(data))
        except OSError as fault:
            self.fault = fault
            return False

    def _lines(self) -> "list[str]":
        try:
            return content(self.path, O_NOFOLLOW).decode("utf-8", "replace").split("\n")
        except OSError:
            return []


def opened(path: str) -> "FileIO":
    """A derived file, open for appending; folders of ours that it needs are made."""
    try:
        return appending(path)
    except FileNotFoundError:
        from posix import mkdir

        git_dir, _, rest = path.rpartition("/memgit/")
        folder = f"{git_dir}/memgit"
        for name in rest.split("/"):
            try:  # noqa: SIM105 - `contextlib` costs more than the whole note
                mkdir(folder)
            except FileExistsError:  # it was there, or another hook was faster
                pass
            folder = f"{folder}/{name}"
        return appending(path)
