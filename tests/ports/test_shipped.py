"""The shipped folders, in a checkout and in an installed package."""

import pytest

from memgit.errors import MemgitError
from memgit.ports import shipped as subject
from memgit.ports.shipped import shipped


@pytest.mark.parametrize("name", ["sample-store", "hooks", "templates"])
def test_a_checkout_has_them_beside_the_package(name):
    assert shipped(name).is_dir()
    assert shipped(name).is_absolute()


def test_an_installed_package_has_them_inside(tmp_path, monkeypatch):
    (tmp_path / "memgit" / "hooks").mkdir(parents=True)
    (tmp_path / "templates").mkdir()
    monkeypatch.setattr(subject, "PACKAGE", tmp_path / "memgit")
    assert shipped("hooks") == tmp_path / "memgit" / "hooks"


def test_a_folder_of_another_package_nearby_is_not_taken_for_ours(tmp_path, monkeypatch):
    (tmp_path / "templates").mkdir()
    monkeypatch.setattr(subject, "PACKAGE", tmp_path / "memgit")
    with pytest.raises(MemgitError, match="templates") as fault:
        shipped("templates")
    assert "install it again" in fault.value.hint
