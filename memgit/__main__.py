"""`python -m memgit`: the same program as the `memgit` command."""

from memgit.cli import main

if __name__ == "__main__":
    main()
