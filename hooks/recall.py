"""An agent's prompt hook starts this: `python -I -S recall.py --store PATH`. No logic here."""

import sys

# This folder stands beside the package in a checkout, and inside it where it is installed.
sys.path.append(__file__.rpartition("/hooks/")[0].removesuffix("/memgit"))

from memgit.prompt.recall import main

main(sys.argv[1:])
