"""The profile's lines in their file: put in, taken out, moved, and kept within the cap.

The one rule: a line is never lost. New ones stand on top; when there is no room, the last ones go
to the store as memories, so the order of the file is the order in which lines stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memgit.domain.memory import decode
from memgit.domain.naming import Newcomers
from memgit.domain.settings import Cap
from memgit.domain.store import Store
from memgit.errors import UsageError
from memgit.prompt.profile import FILE, rows_of, within

MARK = "- "


@dataclass(frozen=True)
class Profile:
    """A profile's text; `lines` are what an agent is given of it."""

    text: str

    @classmethod
    def of(cls, store: Store) -> "Profile":
        """The profile as its file stands in the work tree; an empty one where there is none."""
        file = store.root / FILE
        return cls.read(store.content(FILE)) if file.is_file() else cls("")

    @classmethod
    def read(cls, data: bytes) -> "Profile":
        """The profile that a file holds."""
        return cls(decode(data)[0].replace("\r\n", "\n"))

    @property
    def lines(self) -> list[str]:
        """Its lines, the one that stays longest first."""
        return [line for _, line in rows_of(self.text)]

    def data(self) -> bytes:
        """The file of it."""
        return self.text.encode("utf-8", "surrogatepass")

    def find(self, wanted: str) -> int:
        """The place of a line, from 0: by its number, its words, or a part of them.

        Raises UsageError unless it is exactly one.
        """
        lines = self.lines
        if wanted.isdecimal() and 1 <= int(wanted) <= len(lines):
            return int(wanted) - 1
        bare = [_bare(line) for line in lines]
        same = [place for place, line in enumerate(bare) if line == _bare(wanted)]
        found = same or [place for place, line in enumerate(bare) if wanted in line]
        if len(found) == 1:
            return found[0]
        said = "more than one line says" if found else "no line says"
        raise UsageError(f"{said} {wanted!r}", "`memgit profile list` numbers them")

    def has(self, line: str) -> bool:
        """Whether it says just this already."""
        return _bare(line) in map(_bare, self.lines)

    def put(self, line: str, place: int = 0) -> "Profile":
        """With a line that then stands at this place."""
        raw = self.text.split("\n")
        rows = [number for number, _ in rows_of(self.text)]
        if place < len(rows):
            at = rows[place]
        else:
            at = rows[-1] + 1 if rows else len("\n".join(raw).rstrip("\n").split("\n"))
            at = 0 if not self.text.strip() else at
        marked = line if line.startswith(MARK) else f"{MARK}{line}"
        return Profile("\n".join([*raw[:at], marked, *raw[at:]]).rstrip("\n") + "\n")

    def without(self, place: int) -> "Profile":
        """Without the line at this place; a comment on the same line stays."""
        number, said = rows_of(self.text)[place]
        raw = self.text.split("\n")
        comment = raw[number].rstrip().removesuffix(said).rstrip() if "-->" in raw[number] else ""
        return Profile("\n".join([*raw[:number], *([comment] if comment else []),
                                  *raw[number + 1 :]]))  # fmt: skip

    def fitted(self, cap: Cap) -> tuple["Profile", list[str]]:
        """(what the cap has room for, the lines it has none for, the last one first)."""
        fits, over = self, []
        while len(lines := fits.lines) > within(lines, cap.lines, cap.units):
            # A line that alone is longer than the cap goes before shorter ones below it.
            place = within(lines, cap.lines, cap.units) if _alone(lines, cap) else len(lines) - 1
            over.append(lines[place])
            fits = fits.without(place)
        return fits, over


def to_memories(lines: Sequence[str], newcomers: Newcomers, **metadata: object) -> list[str]:
    """Make memories of lines that leave the profile; the name of each."""
    return [newcomers.add(_bare(line)[:80], _bare(line), "user", **metadata) for line in lines]


def _alone(lines: list[str], cap: Cap) -> bool:
    """Whether the first line without room would have none in an empty profile either."""
    place = within(lines, cap.lines, cap.units)
    return within([lines[place]], cap.lines, cap.units) == 0


def _bare(line: str) -> str:
    """A line without its mark."""
    return line.strip().removeprefix(MARK).strip()


def merged(now: bytes, after: bytes, before: bytes) -> bytes:
    """`now` with the step from `before` to `after` taken back, line by line: what came goes, what
    went comes back at the end.
    """
    current, came, went = Profile.read(now), Profile.read(after), Profile.read(before)
    for line in (line for line in came.lines if not went.has(line) and current.has(line)):
        current = current.without(list(map(_bare, current.lines)).index(_bare(line)))
    for line in (line for line in went.lines if not came.has(line) and not current.has(line)):
        current = current.put(line, len(current.lines))
    return current.data()
