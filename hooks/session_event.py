"""An agent's hooks around a session start this, as they do `recall.py` beside it. No logic here."""

import gc
import sys

gc.disable()  # the process ends with the note

# This folder stands beside the package in a checkout, and inside it where it is installed.
sys.path.append(__file__.rpartition("/hooks/")[0].removesuffix("/memgit"))

from memgit.prompt.jobs import main  # noqa: E402 - importing makes most of the garbage

main(sys.argv[1:])
