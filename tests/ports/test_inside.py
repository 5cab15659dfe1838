"""Looking below one folder, and nowhere else."""

import os
from pathlib import Path

import pytest

from memgit.ports import inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/key.txt").write_text("AKIA")
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src/app.py").write_text("x = 1\n")
    (root / "inner").symlink_to("src")
    (root / "file").symlink_to("src/app.py")
    (root / "up").symlink_to("..")
    (root / "outer").symlink_to(tmp_path / "secret")
    (root / "sly").symlink_to("src/../../secret/key.txt")
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    (root / "broken").symlink_to("never")
    os.mkfifo(root / "pipe")
    return root


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/app.py", inside.FILE),
        ("src", inside.FOLDER),
        ("", inside.FOLDER),
        ("src/./app.py", inside.FILE),
        ("inner/app.py", inside.FILE),
        ("file", inside.FILE),
        ("src/never", inside.NOTHING),
        ("src/app.py/below", inside.NOTHING),
        ("broken", inside.NOTHING),
        ("pipe", inside.OTHER),
        ("outer", inside.OUTSIDE),
        ("outer/key.txt", inside.OUTSIDE),
        ("outer/never", inside.OUTSIDE),
        ("up/secret/key.txt", inside.OUTSIDE),
        ("sly", inside.OUTSIDE),
        ("../secret/key.txt", inside.OUTSIDE),
        ("src/../../secret/key.txt", inside.OUTSIDE),
        ("a", inside.OUTSIDE),
        ("a/x", inside.OUTSIDE),
    ],
)
def test_what_stands_at_a_path(root: Path, path: str, kind: str) -> None:
    assert inside.kind_of(root, path) == kind


@pytest.mark.parametrize("path", ["outer/key.txt", "sly", "../secret/key.txt", "pipe", "src", "",
                                  "never", "a", "src/\0"])  # fmt: skip
def test_what_is_not_read(root: Path, path: str) -> None:
    assert inside.read(root, path) is None


def test_plain_files_are_read_up_to_a_limit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert inside.read(root, "inner/app.py") == b"x = 1\n"
    monkeypatch.setattr(inside, "LARGEST", 3)
    assert inside.read(root, "src/app.py") is None


def test_names_of_a_folder(root: Path) -> None:
    assert inside.names(root, "src") == ["app.py"]
    assert inside.names(root, "inner") == ["app.py"]
    assert inside.names(root, "outer") == []
    assert inside.names(root, "never") == []


def test_a_link_put_in_place_of_a_folder_meanwhile_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way was judged with a folder on it; when it is gone, a link stands there."""
    real = inside._way

    def late(folder: Path, path: str) -> list[str] | None:
        found = real(folder, path)
        (root / "src").rename(root / "was")
        (root / "src").symlink_to(root.parent / "secret")
        return found

    monkeypatch.setattr(inside, "_way", late)
    assert inside.read(root, "src/key.txt") is None
