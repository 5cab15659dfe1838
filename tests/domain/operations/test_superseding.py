"""What may take the place of what, and what that means for all that was derived."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.operation import Operation, Provenance
from memgit.domain.operations.renaming import rename
from memgit.domain.operations.superseding import supersede
from memgit.domain.store import Store
from memgit.errors import StoreError

from .conftest import derived, memory

Run = Callable[..., object]

DAY = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
REASON = "derived from root, which was superseded by other on 2026-03-04"


def labels(store: Store) -> dict[str, tuple[str, ...]]:
    return {path: found for path in store.paths() if (found := store.read(path).labels)}


def head(store: Store) -> str:
    return store.repository.run("rev-parse", "HEAD")


def test_it_is_one_commit_that_tells_everything(descent: Store) -> None:
    before = head(descent)
    by = Provenance("agent", "the port moved", 0.875, ("overlap",), ("turn 3",))
    done = supersede(descent, "root", "other", by, DAY)
    assert descent.repository.run("rev-list", "--count", f"{before}..HEAD") == "1"
    told = Operation.parse(descent.repository.run("log", "-1", "--format=%B"))
    assert told is not None
    assert told.kind == "supersede"
    assert told.subject == "root by other"
    assert told.memories == ("root", "other", "child", "grandchild", "great")
    assert (told.actor, told.because, told.to) == ("agent", "the port moved", "other")
    assert told.confidence == 0.88
    assert told.guards == ("overlap", "acyclic", "standing", "gates")
    assert told.sources == ("turn 3",)
    assert done.commit == head(descent)
    assert descent.repository.run("status", "--porcelain") == ""


def test_every_descendant_is_labelled_and_nothing_else(descent: Store) -> None:
    supersede(descent, "root", "other", now=DAY)
    assert labels(descent) == {
        "root.md": ("superseded by other",),
        "deep/child.md": (f"unverified: {REASON}",),
        "grandchild.md": (f"unverified: {REASON}",),
        "great.md": (f"unverified: {REASON}",),
    }


def test_the_control_labels_nothing(descent: Store) -> None:
    supersede(descent, "other", "event", now=DAY)
    assert labels(descent) == {"other.md": ("superseded by event",)}


def test_only_the_lines_of_the_label_change(descent: Store) -> None:
    before = descent.content("deep/child.md").decode()
    supersede(descent, "root", "other", now=DAY)
    after = descent.content("deep/child.md").decode()
    assert after == before.replace("    - root\n", f'    - root\n  unverified: "{REASON}"\n')


def test_the_index_follows_at_once(descent: Store) -> None:
    supersede(descent, "root", "other", now=DAY)
    assert Index(descent).head()["commit"] == head(descent)
    assert [hit.record["path"] for hit in Index(descent).search("label:superseded", 5)] == [
        "root.md"
    ]


def test_a_reason_of_its_own_stays_beside_it(descent: Store) -> None:
    path = descent.root / "deep/child.md"
    path.write_text(memory("child", derived_from=derived("root"), unverified="port not found"))
    supersede(descent, "root", "other", now=DAY)
    assert labels(descent)["deep/child.md"] == (
        "unverified: port not found",
        f"unverified: {REASON}",
    )


def test_a_cycle_of_descent_ends(descent: Store) -> None:
    (descent.root / "root.md").write_text(memory("root", derived_from=derived("great", "root")))
    supersede(descent, "root", "other", now=DAY)
    assert len(labels(descent)) == 4


def test_the_successor_made_from_what_it_corrects_is_not_in_doubt(descent: Store) -> None:
    supersede(descent, "root", "child", now=DAY)
    assert labels(descent) == {"root.md": ("superseded by child",)}


def test_what_was_only_written_is_seen_and_saved_before(descent: Store) -> None:
    (descent.root / "late.md").write_text(memory("late", derived_from=derived("great")))
    (descent.root / "root.md").write_text(memory("root", body="Edited by hand."))
    supersede(descent, "root", "other", now=DAY)
    subjects = descent.repository.run("log", "-2", "--format=%s").splitlines()
    assert subjects == ["supersede: root by other", "save: 2 memories"]
    assert labels(descent)["late.md"] == (f"unverified: {REASON}",)
    diff = descent.repository.run("show", "--format=", "HEAD", "--", "root.md")
    assert "Edited by hand" not in [line[1:] for line in diff.splitlines() if line[0] in "+-"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("root", "root", "cannot supersede itself"),
        ("root", "nobody", "no memory is named nobody"),
        ("nobody", "root", "no memory is named nobody"),
        ("rule", "event", "is a rule of type feedback"),
    ],
)
def test_what_is_refused(descent: Store, old: str, new: str, message: str) -> None:
    before = head(descent)
    with pytest.raises(StoreError, match=message):
        supersede(descent, old, new)
    assert head(descent) == before
    assert descent.repository.run("status", "--porcelain") == ""


def test_a_cycle_is_refused_and_a_successor_named(descent: Store) -> None:
    supersede(descent, "root", "other")
    supersede(descent, "other", "event")
    with pytest.raises(StoreError, match="would be a cycle"):
        supersede(descent, "event", "root")
    with pytest.raises(StoreError, match="other was itself") as told:
        supersede(descent, "great", "other")
    assert told.value.hint == "use --by event"
    with pytest.raises(StoreError, match="superseded by other already"):
        supersede(descent, "root", "great")


def test_a_rule_gives_way_to_a_rule(descent: Store) -> None:
    supersede(descent, "rule", "better-rule")
    assert descent.read("rule.md").superseded_by == "better-rule"


def test_of_two_successors_that_a_merge_left_a_person_chooses(descent: Store) -> None:
    both = memory("root", superseded_by="\n    - other\n    - event")
    (descent.root / "root.md").write_text(both)
    supersede(descent, "root", "event")
    assert descent.read("root.md").metadata["superseded_by"] == "event"
    (descent.root / "root.md").write_text(both)
    rename(descent, "event", "happening")
    assert descent.read("root.md").words("superseded_by") == ("other", "happening")


def test_again_is_nothing_to_do(descent: Store) -> None:
    supersede(descent, "root", "other")
    before = head(descent)
    done = supersede(descent, "root", "other")
    assert (done.commit, done.note) == (None, "root is superseded by other already")
    assert head(descent) == before


def test_files_in_other_shapes_keep_their_body_and_their_keys(store: Path, git: Run) -> None:
    files = {
        "plain.md": b"# No frontmatter\r\n\r\nwords \xff here\r\n",
        "flat.md": b"---\ntype: project # ours\nowner: Aki\n---\nbody  \n\n---\nmore\n",
        "crlf.md": b"---\r\nname: crlf\r\nmetadata:\r\n    x: 1\r\n---\r\nbody\r\n",
        "bom.md": b"\xef\xbb\xbf---\nname: bom\nodd: {a: [1, 2]}\n---\nbody",
        "sjis.md": "---\nname: sjis\n---\nこれは古い文書です。".encode("cp932"),
        "inline.md": b"---\nname: inline\nmetadata: {type: project, k: v}\n---\nbody\n",
        "broken.md": b"---\nname: [broken\n---\nbody\n",
        "new.md": memory("new").encode(),
    }
    for path, data in files.items():
        (store / path).write_bytes(data)
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=first")
    opened = Store.at(store)
    for path, data in files.items():
        if path == "new.md":
            continue
        was = opened.read(path)
        supersede(opened, path, "new")
        now = opened.read(path)
        assert now.superseded_by == "new", path
        assert now.body == was.body, path
        last = next(line for line in reversed(data.split(b"\n")) if line)
        assert opened.content(path).rstrip(b"\n").endswith(last), path
        kept = {key: now.metadata[key] for key in was.metadata}
        assert kept == was.metadata, path
    assert (store / "flat.md").read_bytes() == files["flat.md"].replace(
        b"owner: Aki\n", b"owner: Aki\nsuperseded_by: new\n"
    )
    assert (store / "crlf.md").read_bytes() == files["crlf.md"].replace(
        b"x: 1\r\n", b"x: 1\r\n    superseded_by: new\r\n"
    )
    assert (store / "bom.md").read_bytes().startswith(b"\xef\xbb\xbf---\n")
