"""`memgit`, `python -m memgit`, or `python PATH/memgit/__main__.py`: the same program.

The one rule: it imports nothing before it can be interrupted in silence.
"""

import gc
import sys

if not __package__:  # started by its path, where `memgit` may not be importable yet
    sys.path.append(__file__.rpartition("/memgit/")[0])

SELDOM = 50_000
"""New objects after which garbage is looked for: most commands end before there is any, and looking
for it would take a twentieth of their time."""


def main() -> None:
    """Run the command line that this process was started with, and exit."""
    gc.set_threshold(SELDOM)
    try:
        from memgit.cli import main as run

        run()
    except KeyboardInterrupt:  # before there was anything to stop
        sys.exit(130)


if __name__ == "__main__":
    main()
