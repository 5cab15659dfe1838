"""A word that is nearly right is answered with the right one."""

from pathlib import Path

from memgit.errors import did_you_mean
from tests.conftest import Run

MEANT = {
    "recal": "recall",
    "SHOW deploy": "show",
    "review shwo": "show",
    "list --tpye user": "--type",
    "show deplyo": "deploy",
    "edit deplyo --append x": "deploy",
    "log deplyo": "deploy",
    "log --kind edt": "edit",
    "why payment-timeout": "payment-timeout-12s",
    "list --type feedbak": "feedback",
    "check --explain nmae": "name",
}
"""What was typed → what was meant."""


def test_what_comes_close_is_named(sample: Path, memgit: Run) -> None:
    for typed, meant in MEANT.items():
        done = memgit("--store", sample, *typed.split())
        assert done.returncode in (1, 2, 3), typed
        said = " ".join(done.stderr.split())
        assert meant in said.partition("id you mean")[2], typed


def test_what_is_far_from_all_is_not_guessed_at(sample: Path, memgit: Run) -> None:
    assert did_you_mean("zzzz", ["deploy", "当番表"]) == ""
    assert did_you_mean("当番", ["deploy", "当番表"]) == "did you mean 当番表?"
    for typed in ("zzzz", "show zzzz", "log zzzz"):
        done = memgit("--store", sample, *typed.split())
        assert "id you mean" not in done.stderr
        assert done.returncode in (1, 2, 3)
