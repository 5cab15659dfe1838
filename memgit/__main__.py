"""`python -m memgit`, or `python PATH/memgit/__main__.py`: the same program as `memgit`."""

import sys

if not __package__:  # started by its path, where `memgit` may not be importable yet
    sys.path.append(__file__.rpartition("/memgit/")[0])

from memgit.cli import main

if __name__ == "__main__":
    main()
