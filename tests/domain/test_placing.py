"""Names and paths for what comes from elsewhere."""

import unicodedata
from pathlib import PurePosixPath

import pytest

from memgit.domain.importing.placing import Places, name_from
from memgit.domain.memory import is_memory_path


def places(*paths: str, names: tuple[str, ...] = ()) -> Places:
    return Places(names, paths, lambda path: path == "ignored.md")


def test_a_name_that_is_taken_gets_its_folders_and_then_a_number() -> None:
    free = places(names=("Deploy",))
    assert free.name("deploy", ["api", "shop"]) == "api-deploy"
    assert free.name("deploy", ["api", "shop"]) == "shop-api-deploy"
    assert free.name("deploy", ["api", "shop"]) == "deploy-2"
    assert free.name("DEPLOY", []) == "DEPLOY-3"


@pytest.mark.parametrize(
    ("first", "second"),
    [("Deploy", "deploy"), ("ＡＢＣ", "abc"), ("ガ", unicodedata.normalize("NFD", "ガ")),
     ("straße", "STRASSE")],
)  # fmt: skip
def test_case_and_unicode_form_do_not_tell_names_or_paths_apart(first: str, second: str) -> None:
    free = places()
    assert free.name(first, []) == first
    assert free.name(second, []) == f"{second}-2"
    free.path(PurePosixPath(f"{first}.md"), "one")
    assert free.path(PurePosixPath(f"{second}.md"), "two") == "two.md"


def test_a_path_that_is_taken_becomes_the_name_in_the_same_folder() -> None:
    free = places("ops/deploy.md", "ops/api-deploy.md")
    assert free.path(PurePosixPath("Ops/Deploy.md"), "api-deploy") == "ops/api-deploy-2.md"


def test_where_a_file_stands_there_is_no_folder() -> None:
    free = Places((), ["tabs.md"], lambda path: False, lambda path: path == "memgit.toml")
    assert free.path(PurePosixPath("memgit.toml/x.md"), "x") == "memgit.toml-2/x.md"
    assert free.path(PurePosixPath("memgit.toml/y.md"), "y") == "memgit.toml-2/y.md"
    assert free.path(PurePosixPath("TABS.md/in/x.md"), "x") == "TABS.md-2/in/x.md"
    assert free.path(PurePosixPath("memory.MD/x.md"), "x") == "memory.MD-2/x.md"
    free.path(PurePosixPath("new.md"), "new")
    assert free.path(PurePosixPath("new.md/x.md"), "x") == "new.md-2/x.md"
    assert free.path(PurePosixPath("new.md-2"), "x") == "x.md"


def test_a_path_that_is_too_long_loses_its_highest_folders() -> None:
    path = places().path(PurePosixPath("top", *["長" * 60] * 20, "x.md"), "x")
    assert 800 < len(path.encode()) <= 1000
    assert path.endswith("/x.md")
    assert not path.startswith("top/")


def test_a_folder_keeps_the_spelling_that_the_store_has() -> None:
    free = places("API/one.md")
    assert free.path(PurePosixPath("api/Sub/two.md"), "two") == "API/Sub/two.md"
    assert free.path(PurePosixPath("Api/sub/three.md"), "three") == "API/Sub/three.md"


@pytest.mark.parametrize("wanted", ["MEMORY.md", "profile.md", "ignored.md"])
def test_files_that_mean_something_else_are_not_taken(wanted: str) -> None:
    assert places().path(PurePosixPath(wanted), "mine") == "mine.md"


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("drafts/x.md", "imported/drafts/x.md"),
        ('a:b/c"d?.md', "a-b/c-d-.md"),
        ("line\nbreak.md", "line-break.md"),
        (unicodedata.normalize("NFD", "パス/ガ.md"), "パス/ガ.md"),
    ],
)
def test_paths_fit_other_systems(wanted: str, path: str) -> None:
    assert places().path(PurePosixPath(wanted), "n") == path


def test_long_names_are_cut_and_stay_apart() -> None:
    free = places()
    found = {free.path(PurePosixPath(f"{'長' * 80}{n}.md"), f"{'長' * 80}-{n}") for n in range(3)}
    assert len(found) == 3
    for path in found:
        assert len(path.encode()) < 200
        assert is_memory_path(path)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("feedback_uitest_timeouts", "feedback_uitest_timeouts"),
        ("v1.2+rc@x", "v1.2+rc@x"),
        ("Reviewer shape lives in a skill", "reviewer-shape-lives-in-a-skill"),
        ("当番表", "当番表"),
        (unicodedata.normalize("NFD", "ガイド"), "ガイド"),
        ("--force", "force"),
        ("a/b|c]", "a-b-c"),
        ("!!!", ""),
        ("\ud800x", "x"),
    ],
)
def test_name_from(text: str, name: str) -> None:
    assert name_from(text) == name


def test_gits_own_folder_is_no_place_by_either_name() -> None:
    free = places()
    assert free.path(PurePosixPath("GIT~1/a.md"), "a") == "GIT-1/a.md"
    assert free.path(PurePosixPath("in/.git/hooks/a.md"), "a") == "in/git/hooks/a.md"
    assert free.path(PurePosixPath("notes~1/a.md"), "a") == "notes~1/a.md"
