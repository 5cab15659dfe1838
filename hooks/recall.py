"""An agent's prompt hook starts this: `python -I -S recall.py --store PATH`. No logic here."""

import gc
import sys

gc.disable()  # the process ends with the answer

# This folder stands beside the package in a checkout, and inside it where it is installed.
sys.path.append(__file__.rpartition("/hooks/")[0].removesuffix("/memgit"))

from memgit.prompt.recall import main  # noqa: E402 - importing makes most of the garbage

main(sys.argv[1:])
