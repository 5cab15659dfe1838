"""Files that lie beside the modules of this room: styles, a script, words.

The one rule: they are read whole, as text.
"""

from pathlib import Path


def shipped(name: str) -> str:
    """What a file of this room says."""
    return (Path(__file__).parent / name).read_text("utf-8")
