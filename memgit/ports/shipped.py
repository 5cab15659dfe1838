"""The folders that come with the program: `templates`, `hooks`, `sample-store`.

The one rule: a folder of ours is never confused with one of the same name that lies nearby.
"""

from pathlib import Path

from memgit.errors import MemgitError

PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """The absolute path of a shipped folder: in the installed package, or beside it in a checkout.

    Raises MemgitError when it is in neither.
    """
    beside = PACKAGE.parent
    places = [PACKAGE / name]
    if (beside / "pyproject.toml").is_file():  # where it is installed, this would be site-packages
        places.append(beside / name)
    for place in places:
        if place.is_dir():
            return place
    raise MemgitError(
        f"{PACKAGE}: the folder {name} that belongs to memgit is missing",
        "install it again: `pip install --force-reinstall memgit-tools`",
    )
