"""When the claims of a memory were last looked at and held: a small file among the derived data.

The one rule: it is known for the very content that was looked at. A memory that was edited since is
not found here, and nothing is said of it.

The file: 24 bytes for each memory, ascending: the first 20 bytes of its blob's id, and the day
(days since 1970-01-01) as a little-endian u32.
"""

from memgit.prompt import place

FILE = "checked"
"""The file's name, in the store's derived folder."""

ROW = 24
KEY = 20


def load(where: str) -> bytes:
    """The whole file; b"" where there is none, or none of this form."""
    try:
        data = place.content(f"{where}/{FILE}")
    except OSError:
        return b""
    return b"" if len(data) % ROW else data


def day_of(data: bytes, blob: str) -> "int | None":
    """The day on which the claims of the content with this blob id held; None where unknown."""
    try:
        wanted = bytes.fromhex(blob)[:KEY]
    except ValueError:
        return None
    low, high = 0, len(data) // ROW
    while low < high:
        middle = (low + high) // 2
        at = ROW * middle
        found = data[at : at + KEY]
        if found == wanted:
            return int.from_bytes(data[at + KEY : at + ROW], "little")
        if found < wanted:
            low = middle + 1
        else:
            high = middle
    return None


def told(day: "int | None", now: float) -> str:
    """`checked 2 d ago`, `checked today`; "" for a day that is not known or still to come."""
    gone = -1 if day is None else int(now // 86400) - day
    return "" if gone < 0 else "checked today" if not gone else f"checked {gone} d ago"
