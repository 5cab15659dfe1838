"""The recall table: what is written is read back, and what is damaged is never an answer."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgit.domain.indexing.recall_table import stamp
from memgit.domain.indexing.table_writer import read_counts, write_counts, write_head, write_segment
from memgit.prompt.table import (
    HEAD,
    HEADER,
    BrokenTable,
    Segment,
    Table,
    load_head,
    load_json,
    number_of,
)

Posting = tuple[int, float]

POSTINGS: dict[str, list[Posting]] = {
    "deploy": [(0, 1.5), (2, 0.25)],
    "本番": [(1, 2.0)],
    "サーバ": [(0, 1.0), (1, 1.0), (2, 1.0)],
    "x" * 300: [(2, 0.5)],
    "": [(0, 0.125)],
}
RECORDS = [{"name": "a", "lines": ["一", "two"]}, {}, {"name": "c", "labels": ["x\0y"]}]


def write(
    folder: Path,
    postings: Mapping[str, Sequence[Posting]] = POSTINGS,
    records: Sequence[Mapping[str, Any]] = RECORDS,
    deleted: Sequence[int] = (),
    gone: Mapping[str, int] | None = None,
    copies: int = 1,
) -> Path:
    """A table of one or more equal segments in `folder`."""
    rows = []
    for number in range(copies):
        file = f"s{number}.segment"
        write_segment(folder / file, postings.items(), records, {})
        row = {"id": str(number), "file": file, "stamp": stamp(folder / file),
               "deleted": list(deleted), "gone": {}}  # fmt: skip
        if gone:
            counts = {number_of(term): count for term, count in gone.items()}
            write_counts(folder / f"s{number}.gone", counts)
            row["gone"] = {f"s{number}.gone": stamp(folder / f"s{number}.gone")}
        rows.append(row)
    write_head(folder, {"commit": "c", "segments": rows})
    return folder


def read(table: Table, term: str) -> list[Posting]:
    """The postings of a term over all segments."""
    found: list[Posting] = []
    for segment, count, first, _ in table.lookup(term):
        memories, scores = segment.postings(count, first)
        numbers = [segment.base + memory for memory in memories]
        found += zip(numbers, scores, strict=True)
    return found


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    table = Table(str(write(tmp_path)))
    assert {term: read(table, term) for term in POSTINGS} == POSTINGS
    assert read(table, "nowhere") == []
    assert [table.record(number) for number in range(3)] == RECORDS
    assert table.memories == 3
    assert table.head["commit"] == "c"


def test_segments_share_one_numbering(tmp_path: Path) -> None:
    table = Table(str(write(tmp_path, copies=3)))
    assert [memory for memory, _ in read(table, "deploy")] == [0, 2, 3, 5, 6, 8]
    assert table.memories == 9
    assert [table.record(number)["name"] for number in (0, 2, 3, 8)] == ["a", "c", "a", "c"]


def test_memories_that_were_taken_away_do_not_count(tmp_path: Path) -> None:
    table = Table(
        str(write(tmp_path, deleted=[0], gone={"deploy": 1, "サーバ": 1, "": 1}, copies=2))
    )
    assert table.memories == 4
    assert [number for number in range(6) if table.is_deleted(number)] == [0, 3]
    having = {
        term: table.having(term, table.lookup(term)) for term in ("deploy", "サーバ", "", "本番")
    }
    assert having == {"deploy": 2, "サーバ": 4, "": 0, "本番": 2}


def test_an_empty_table(tmp_path: Path) -> None:
    table = Table(str(write(tmp_path, {}, [])))
    assert (table.memories, table.lookup("deploy")) == (0, [])
    write_head(tmp_path, {"segments": []})
    assert Table(str(tmp_path)).lookup("deploy") == []


TERMS = st.text(st.characters(), max_size=40)


@settings(deadline=None)
@given(
    postings=st.dictionaries(
        TERMS,
        st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100, width=32)), min_size=1, max_size=6,
                 unique_by=lambda row: row[0]),
        max_size=30,
    ),
    others=st.lists(TERMS, max_size=5),
)  # fmt: skip
def test_any_terms(
    postings: dict[str, list[Posting]],
    others: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    table = Table(str(write(tmp_path_factory.mktemp("table"), postings, [{}] * 6)))
    for term in (*postings, *others):
        assert read(table, term) == sorted(postings.get(term, []))


@given(counts=st.dictionaries(TERMS, st.integers(0, 2**32 - 1), max_size=20))
def test_counts_are_read_back(
    counts: dict[str, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("counts") / "c"
    numbers = {number_of(term): count for term, count in counts.items()}
    write_counts(file, numbers)
    assert read_counts(file) == numbers
    segment = Segment(str(file), 0, [])
    assert {term: segment.find(number_of(term))[0] for term in counts} == counts


def test_a_large_table_finds_each_of_its_terms_near_its_home(tmp_path: Path) -> None:
    """One read finds a term, so the slots to read must stay few."""
    postings = {f"word{n}": [(0, float(n))] for n in range(20_000)}
    write_segment(tmp_path / "s", postings.items(), [{}], {number_of("word7"): 70})
    segment = Segment(str(tmp_path / "s"), 0, [])
    for term, [(_, score)] in postings.items():
        count, first, ordinary = segment.find(number_of(term))
        assert (count, ordinary) == (1, 70 if term == "word7" else 0)
        assert segment.postings(count, first)[1][0] == score
    assert not any(segment.find(number_of(f"other{n}"))[0] for n in range(20_000))
    assert int.from_bytes((tmp_path / "s").read_bytes()[28:32], "little") < 50


@given(st.lists(TERMS, unique=True))
def test_terms_have_numbers_of_their_own(terms: list[str]) -> None:
    numbers = [number_of(term) for term in terms]
    assert len(set(numbers)) == len(terms)
    assert all(0 < number < 2**64 for number in numbers)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1), (' \n{"a": [true, null]} rest', {"a": [True, None]}), ('"日"', "日")],
)
def test_json(text: str, value: object) -> None:
    assert load_json(text) == value


@pytest.mark.parametrize("text", ["", "  ", "{", "[1,", "nope", "{'a': 1}", '{"a" 1}'])
def test_no_json(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        load_json(text)


# ------------------------------------------------------------------------------------- damage


def use(folder: Path) -> None:
    """Everything that a prompt may do with a table."""
    table = Table(str(folder))
    for term in (*POSTINGS, "nowhere"):
        rows = table.lookup(term)
        table.having(term, rows)
        for segment, count, first, _ in rows:
            segment.postings(count, first)
    for number in range(3):
        table.is_deleted(number)
        table.record(number)


def test_a_table_that_nobody_touched_is_whole(tmp_path: Path) -> None:
    use(write(tmp_path, deleted=[1], gone={"deploy": 1}))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def longer(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)


def noise(path: Path) -> None:
    path.write_bytes(Random(1).randbytes(path.stat().st_size))


def remove(path: Path) -> None:
    path.unlink()


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def touch(path: Path) -> None:
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


@pytest.mark.parametrize("file", [HEAD, "s0.segment", "s0.gone"])
@pytest.mark.parametrize("damage", [cut, empty, longer, flip, noise, remove, folder, touch])
def test_a_damaged_table_is_told_at_once(
    tmp_path: Path, file: str, damage: Callable[[Path], None]
) -> None:
    write(tmp_path, gone={"deploy": 1})
    damage(tmp_path / file)
    if (file, damage) == (HEAD, touch):
        use(tmp_path)
        return
    with pytest.raises(BrokenTable):
        Table(str(tmp_path))


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path, Path("/dev/null")):
        with pytest.raises(BrokenTable):
            Table(str(path))


@pytest.mark.parametrize(
    "head",
    [[], {}, {"segments": 1}, {"segments": [1]}, {"segments": [{}]}, {"segments": None},
     {"segments": [{"file": 1, "deleted": [], "stamp": [], "gone": {}}]},
     {"segments": [{"file": "s0.segment", "deleted": 5, "stamp": [1, 2], "gone": {}}]},
     {"segments": [{"file": "s0.segment", "deleted": [], "stamp": None, "gone": []}]}],
)  # fmt: skip
def test_a_head_of_another_shape(tmp_path: Path, head: Any) -> None:
    write(tmp_path)
    write_head(tmp_path, head if isinstance(head, dict) else {"not": head})
    with pytest.raises(BrokenTable):
        Table(str(tmp_path))


def test_a_head_without_its_checksum(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / HEAD).write_text('{"segments": []}')
    with pytest.raises(BrokenTable, match="not as it was written"):
        load_head(str(tmp_path))
    (tmp_path / HEAD).write_bytes(b"[" * 200_000)
    with pytest.raises(BrokenTable):
        load_head(str(tmp_path))


@pytest.mark.parametrize("seed", range(6))
def test_bytes_that_rot_in_silence_never_hang_and_never_break_out(
    tmp_path: Path, seed: int
) -> None:
    """Size and time as they should be, the bytes not: only BrokenTable, at once."""
    random = Random(seed)
    write(tmp_path, deleted=[1], gone={"deploy": 1})
    started = time.process_time()
    for name in ("s0.segment", "s0.gone"):
        path = tmp_path / name
        whole, times = path.read_bytes(), path.stat().st_mtime_ns
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(random.choice((1, 1, 2, 8, 60))):
                place = random.choice((random.randrange(len(data)), random.randrange(8, HEADER)))
                data[place] = random.randrange(256)
            path.write_bytes(data)
            os.utime(path, ns=(times, times))
            try:
                use(tmp_path)
            except BrokenTable:
                continue
        path.write_bytes(whole)
        os.utime(path, ns=(times, times))
    assert time.process_time() - started < 20


def test_the_next_table_may_come_while_this_one_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    old = load_head(str(tmp_path))
    (tmp_path / "s0.segment").rename(tmp_path / "s1.segment")
    new = {"segments": [{**old["segments"][0], "file": "s1.segment"}]}
    write_head(tmp_path, new)
    heads = [old, new]
    monkeypatch.setattr("memgit.prompt.table.load_head", lambda folder: heads.pop(0))
    assert read(Table(str(tmp_path)), "本番") == [(1, 2.0)]


def test_half_written_files_are_never_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for again in (lambda: write_segment(tmp_path / "s0.segment", [], [], {}),
                  lambda: write_head(tmp_path, {})):  # fmt: skip
        with pytest.raises(OSError, match="No space"):
            again()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
