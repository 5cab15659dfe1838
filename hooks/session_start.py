"""An agent's session hook starts this, as it does `recall.py` beside it. No logic here."""

import sys
from posix import access

# This folder stands beside the package in a checkout, whatever that is called, and inside it where
# it is installed.
above = __file__.rpartition("/hooks/")[0]
sys.path.append(above if access(f"{above}/memgit/prompt", 0) else above.removesuffix("/memgit"))

from memgit.prompt.session_start import main  # noqa: E402 - found by the line above

main(sys.argv[1:])
