"""An agent's hooks around a session start this, as they do `recall.py` beside it. No logic here."""

import gc
import sys
from posix import access

gc.disable()  # the process ends with the note

# This folder stands beside the package in a checkout, whatever that is called, and inside it where
# it is installed.
above = __file__.rpartition("/hooks/")[0]
sys.path.append(above if access(f"{above}/memgit/prompt", 0) else above.removesuffix("/memgit"))

from memgit.prompt.jobs import main  # noqa: E402 - importing makes most of the garbage

main(sys.argv[1:])
