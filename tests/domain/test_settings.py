"""A store's settings: what is given holds, what is left out has its default, nothing is guessed."""

from pathlib import Path

import pytest

from memgit.domain.settings import BUDGET, HALF_LIFE, PROFILE, WEIGHTS, Recall, Settings
from memgit.errors import StoreError


def load(folder: Path, text: str | bytes) -> Settings:
    (folder / "memgit.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return Settings.load(folder)


@pytest.mark.parametrize("text", [None, "", "format = 1\n", "# only a comment\n[recall]\n"])
def test_defaults(tmp_path: Path, text: str | None) -> None:
    found = Settings.load(tmp_path) if text is None else load(tmp_path, text)
    assert found == Settings()
    assert found.weights == WEIGHTS
    assert found.half_life == HALF_LIFE
    assert (found.recall, found.budget, found.profile) == (Recall(), BUDGET, PROFILE)


def test_what_is_given_holds_and_the_rest_stays(tmp_path: Path) -> None:
    found = load(
        tmp_path,
        "[recall]\nmemories = 3\n[weights]\nbody = 0\nname = 2.5\n[half_life]\nproject = 0\n"
        "[budget]\nlines = 7\n",
    )
    assert found.recall == Recall(memories=3, units=Recall().units)
    assert found.weights == {**WEIGHTS, "body": 0.0, "name": 2.5}
    assert found.half_life == {**HALF_LIFE, "project": 0.0}
    assert (found.budget.lines, found.budget.units) == (7, BUDGET.units)


def test_of_a_newer_format_only_the_number_is_taken(tmp_path: Path) -> None:
    found = load(tmp_path, "format = 99\n[recall]\nmemories = 'all of them'\n[unheard-of]\n")
    assert found == Settings(format=99)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("format = 0\n", "the store's format is 0"),
        ("format = true\n", "the store's format is True"),
        ("format = '1'\n", "the store's format is 1"),
        ("[recall]\nmemories = 4\n", "recall.memories is 4, not within 1 to 3"),
        ("[recall]\nmemories = 0\n", "recall.memories is 0, not within 1 to 3"),
        ("[recall]\nmemories = 2.5\n", "recall.memories is 2.5, not a whole number"),
        ("[recall]\nunits = 9501\n", "recall.units is 9501, not within 200 to 9500"),
        ("[recall]\nmemories = true\n", "recall.memories is not a number"),
        ("[recall]\nmemories = 'two'\n", "recall.memories is not a number"),
        ("[recall]\nhits = 2\n", "unknown setting recall.hits"),
        ("[weights]\nbody = -1\n", "weights.body is -1, not within 0.0 to 100.0"),
        ("[weights]\nbody = nan\n", "weights.body is nan, not within"),
        ("[weights]\nbody = inf\n", "weights.body is inf, not within"),
        ("[half_life]\nuser = 5\n", "unknown setting half_life.user"),
        ("recall = 3\n", "`recall` is not a section"),
        ("[recal]\nmemories = 3\n", "unknown setting recal"),
        ("[recall\n", "memgit.toml: "),
        ("a = 1\na = 2\n", "memgit.toml: "),
        (b"\xff\xfe", "memgit.toml: "),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    tmp_path: Path, text: str | bytes, says: str
) -> None:
    with pytest.raises(StoreError) as fault:
        load(tmp_path, text)
    assert says in str(fault.value)
    assert str(fault.value).startswith(str(tmp_path / "memgit.toml"))
    assert "\n" not in str(fault.value)


def test_settings_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "memgit.toml").mkdir()
    with pytest.raises(StoreError, match="Is a directory"):
        Settings.load(tmp_path)
