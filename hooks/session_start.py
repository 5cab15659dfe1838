"""An agent's session hook starts this, as it does `recall.py` beside it. No logic here."""

import sys

# This folder stands beside the package in a checkout, and inside it where it is installed.
sys.path.append(__file__.rpartition("/hooks/")[0].removesuffix("/memgit"))

from memgit.prompt.session_start import main

main(sys.argv[1:])
