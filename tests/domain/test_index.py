"""The index and the recall table: one ranking, grown or built alike, and never in anybody's way."""

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memgit.domain.indexing import documents, fields
from memgit.domain.indexing.index import VERSION, Index, Synced
from memgit.domain.indexing.recall_table import RecallTable
from memgit.domain.indexing.table_writer import write_head
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.ports.search import IndexSegment
from memgit.prompt.ranking import Rarity
from memgit.prompt.table import BrokenTable, Table, load_head

Run = Callable[..., subprocess.CompletedProcess[str]]

REAL_STORE = "MEMGIT_BENCH_REAL_STORE"
"""Names a folder of real memories that the rankings are compared on besides the sample store."""

WORDS = (
    "deploy", "staging", "本番", "鍵の更新", "サンドボックス", "auth-service", "parseHTTPHeader",
    "Tuesday", "rotate", "障害対応", "ops/run.py", "timeout", "予約", "migration", "v3.11.7",
)  # fmt: skip


def text(random: Random, dated: bool = True) -> str:
    """A small memory of a few words, some of them more usual than others."""
    words = [WORDS[min(int(random.expovariate(0.25)), len(WORDS) - 1)] for _ in range(12)]
    stamp = f"  modified: 2026-0{random.randint(1, 9)}-11T10:00:00.000Z\n" if dated else ""
    return (
        f"---\nname: {words[0]}-{random.randint(1, 999)}\ndescription: {words[1]} {words[2]}\n"
        f"metadata:\n  node_type: memory\n  type: project\n{stamp}---\n\n# {words[3]}\n\n"
        f"{' '.join(words[4:])} `{words[5]}`\n"
    )


def fill(folder: Path, git: Run, memories: int, seed: int = 1) -> None:
    """Commit so many memories, from `m0000.md` on."""
    random = Random(seed)
    for number in range(memories):
        (folder / f"m{number:04}.md").write_text(text(random))
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=fill")


def index_of(folder: Path) -> Index:
    return Index(Store.at(folder))


# ------------------------------------------------------------------------- two engines, one ranking


def scores(table: Table, terms: list[str]) -> dict[str, float]:
    """Path → score of plain terms of weight 1 as one segment, from the table's own postings."""
    rarity = Rarity()
    found: dict[str, float] = {}
    for term in terms:
        rows = table.lookup(term)
        rare = rarity(term, table.memories, table.having(term, rows))
        for segment, count, first, _ in rows:
            memories, parts = segment.postings(count, first)
            for memory, score in zip(memories, parts, strict=True):
                number = segment.base + memory
                if not table.is_deleted(number):
                    path = table.record(number)["path"]
                    found[path] = found.get(path, 0.0) + rare * score
    return found


def vocabulary(index: Index) -> list[str]:
    """Every term of the index, in a fixed order."""
    with index._open(index.folder).segments() as segments:
        return sorted({
            term for part in segments for field in fields.REFERENCE_LENGTHS
            for term, _ in part.postings(field)
        })  # fmt: skip


def queries(terms: list[str], number: int, seed: int = 7) -> Iterator[list[str]]:
    """So many queries of one to six terms of the index, now and then with one that is not in it."""
    random = Random(seed)
    for _ in range(number):
        chosen = random.sample(terms, min(random.randint(1, 6), len(terms)))
        yield [*chosen, "nowhere-to-be-found"] if random.random() < 0.1 else chosen


def assert_same_ranking(index: Index, wanted: int = 5, number: int = 300) -> int:
    """Both engines give the same first memories; where scores are equal, any of the equals. How
    many queries had an answer.
    """
    table = Table(str(index.table))
    answered = 0
    for terms in queries(vocabulary(index), number):
        ours = scores(table, terms)
        best = sorted(ours.values(), reverse=True)[:wanted]
        theirs = index.rank(terms, wanted)
        assert [hit.score for hit in theirs] == pytest.approx(best, rel=1e-4), terms
        for hit in theirs:
            assert ours[hit.record["path"]] == pytest.approx(hit.score, rel=1e-4), terms
        answered += bool(best)
    return answered


def test_whoosh_and_the_table_rank_alike_on_the_sample_store(sample: Path) -> None:
    index = index_of(sample)
    index.sync()
    assert assert_same_ranking(index, number=400) >= 300


def test_whoosh_and_the_table_rank_alike_on_a_real_store(tmp_path: Path, git: Run) -> None:
    import shutil

    folder = os.environ.get(REAL_STORE)
    if not folder:
        pytest.skip(f"{REAL_STORE} names no folder of real memories")
    shutil.copytree(folder, tmp_path / "real", ignore=shutil.ignore_patterns(".git"))
    git(tmp_path / "real", "init", "--quiet")
    (tmp_path / "real/memgit.toml").touch()
    git(tmp_path / "real", "add", "--all")
    git(tmp_path / "real", "commit", "--quiet", "--message=all")
    index = index_of(tmp_path / "real")
    index.sync()
    assert assert_same_ranking(index, number=400) >= 300
    random = Random(3)
    for path in random.sample(index.store.paths(), 40):
        (index.store.root / path).write_text(text(random))
    git(tmp_path / "real", "commit", "--quiet", "--all", "--message=some others")
    assert not index.sync().rebuilt
    assert_same_ranking(index, number=300)


def test_other_weights_change_both_engines(sample: Path) -> None:
    index = index_of(sample)
    index.sync()
    before = [hit.score for hit in index.rank(["deploy"], 3)]
    (sample / "memgit.toml").write_text("[weights]\nname = 0\nbody = 7\n")
    other = index_of(sample)
    assert other.sync().rebuilt
    assert [hit.score for hit in other.rank(["deploy"], 3)] != before
    assert_same_ranking(other, number=60)


def test_other_limits_reach_the_prompt_without_a_new_index(sample: Path) -> None:
    index_of(sample).sync()
    (sample / "memgit.toml").write_text("[recall]\nmemories = 3\n")
    assert not index_of(sample).sync().rebuilt
    assert load_head(str(index_of(sample).table))["recall"]["memories"] == 3


# ----------------------------------------------------------------------------- grown as if built


def seen(index: Index, terms: list[str]) -> dict[str, Any]:
    """All that an index shows: records, counts of terms, rankings."""
    table = Table(str(index.table))
    numbers = [n for s in table.segments for n in range(s.base, s.base + s.memories)]
    records = [table.record(number) for number in numbers if not table.is_deleted(number)]
    return {
        "records": index.records(),
        "table": sorted(records, key=lambda record: record["path"]),
        "memories": table.memories,
        "having": {term: table.having(term, table.lookup(term)) for term in terms},
        "rankings": [
            [(hit.record["path"], round(hit.score, 4)) for hit in index.rank(query, 1000)]
            for query in queries(terms, 40)
        ],
    }


def equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    for part in one:
        if part == "rankings":
            for mine, theirs in zip(one[part], other[part], strict=True):
                assert sorted(mine) == sorted(theirs)
        else:
            assert one[part] == other[part], part


class Author:
    """Somebody who works in a store in all the ways that git offers."""

    def __init__(self, root: Path, git: Run, seed: int) -> None:
        self.root = root
        self.random = Random(seed)
        self._git = git
        self.done: Counter[str] = Counter()

    def act(self) -> None:
        """One random thing that moves HEAD, or tries to."""
        acts = (self.add, self.edit, self.edit, self.rename, self.delete, self.amend, self.revert,
                self.merge, self.branch, self.reset)  # fmt: skip
        act = self.random.choice(acts)
        act()
        self.done[act.__name__] += 1

    def git(self, *arguments: str, check: bool = True) -> bool:
        try:
            self._git(self.root, *arguments)
        except subprocess.CalledProcessError:
            if check:
                raise
            return False
        return True

    def commit(self, *options: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=step", *options)

    def some(self) -> Path:
        return self.random.choice(sorted(self.root.glob("*.md")))

    def add(self) -> None:
        for _ in range(self.random.choice((1, 1, 1, 3))):
            name = f"n{self.random.randint(0, 10**6)}.md"
            (self.root / name).write_text(text(self.random, dated=self.random.random() < 0.7))
        self.commit()

    def edit(self) -> None:
        self.some().write_text(text(self.random))
        self.commit()

    def rename(self) -> None:
        self.some().rename(self.root / f"r{self.random.randint(0, 10**6)}.md")
        self.commit()

    def delete(self) -> None:
        self.some().unlink()
        self.commit()

    def amend(self) -> None:
        self.some().write_text(text(self.random))
        self.commit("--amend")

    def revert(self) -> None:
        if not self.git("revert", "--no-edit", "HEAD", check=False):
            self.git("revert", "--abort", check=False)

    def merge(self) -> None:
        self.git("branch", "--force", "side", f"HEAD~{self.random.randint(0, 2)}", check=False)
        self.git("checkout", "--quiet", "side", check=False)
        self.add()
        self.edit()
        self.git("checkout", "--quiet", "-")
        if not self.git("merge", "--quiet", "--no-edit", "side", check=False):
            self.git("merge", "--abort", check=False)

    def branch(self) -> None:
        name = self.random.choice(("one", "two"))
        if not self.git("checkout", "--quiet", name, check=False):
            self.git("checkout", "--quiet", "-b", name)

    def reset(self) -> None:
        self.git("reset", "--quiet", "--hard", f"HEAD~{self.random.randint(1, 2)}", check=False)


def work(store: Path, git: Run, seed: int, steps: int) -> Author:
    """Random commits, indexed after most of them; grown and built must be the same at the end."""
    fill(store, git, 150)
    index = index_of(store)
    assert index.sync().rebuilt
    author = Author(store, git, seed)
    most = 0
    for _ in range(steps):
        author.act()
        if author.random.random() < 0.8:
            assert not index_of(store).sync().rebuilt
            most = max(most, len(load_head(str(index.table))["segments"]))
    grown = index_of(store)
    assert not grown.sync().rebuilt
    terms = vocabulary(grown)
    assert_same_ranking(grown, number=40)
    before = seen(grown, terms)
    built = index_of(store)
    assert built.sync(anew=True).rebuilt
    equal(before, seen(built, terms))
    assert most <= 10
    return author


def test_a_grown_index_equals_a_built_one(store: Path, git: Run) -> None:
    work(store, git, seed=5, steps=40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_after_200_commits_a_grown_index_equals_a_built_one(
    store: Path, git: Run, seed: int
) -> None:
    author = work(store, git, seed, steps=200)
    assert len(author.done) == 9


def test_taking_a_memory_away_takes_its_words_away(store: Path, git: Run) -> None:
    fill(store, git, 100)
    (store / "only.md").write_text("unheard-of words 稀有\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one more")
    index = index_of(store)
    index.sync(anew=True)
    (store / "only.md").unlink()
    git(store, "commit", "--quiet", "--all", "--message=gone")
    assert index.sync() == Synced(index.store.repository.head(), 100, 1, False)
    table = Table(str(index.table))
    assert [table.having(term, table.lookup(term)) for term in ("unheardof", "稀有")] == [0, 0]
    assert index.search("稀有", 5) == []
    assert index.named("only") == []


@pytest.mark.parametrize("largest", [600, pytest.param(5000, marks=pytest.mark.slow)])
def test_what_a_commit_costs_does_not_grow_with_the_store(
    tmp_path: Path, git: Run, monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    """Counted, not timed: memories analysed, postings compiled, texts read."""
    cost: Counter[str] = Counter()

    def counted(owner: Any, name: str, size: Callable[[Any], int]) -> None:
        original = getattr(owner, name)

        def wrapper(*arguments: Any) -> Any:
            result = original(*arguments)
            cost[name] += size(result)
            return result

        monkeypatch.setattr(owner, name, wrapper)

    counted(fields, "texts", lambda _: 1)
    counted(documents, "lines", lambda _: 1)
    counted(IndexSegment, "records", len)
    costs = []
    for memories in (100, largest):
        folder = tmp_path / str(memories)
        folder.mkdir()
        git(folder, "init", "--quiet")
        (folder / "memgit.toml").touch()
        fill(folder, git, memories)
        index_of(folder).sync()
        cost.clear()
        for number in range(12):
            (folder / f"m{number:04}.md").write_text(text(Random(number)))
            git(folder, "commit", "--quiet", "--all", "--message=one")
            assert index_of(folder).sync().changed == 1
        costs.append(dict(cost))
    assert costs[1] == costs[0]
    assert costs[0]["texts"] == 24  # the new text, and the old one whose words are taken away


@pytest.mark.slow
def test_what_a_commit_takes_does_not_grow_with_the_store(tmp_path: Path, git: Run) -> None:
    import time
    from statistics import median

    folders = {}
    for memories in (100, 5000):
        folders[memories] = tmp_path / str(memories)
        folders[memories].mkdir()
        git(folders[memories], "init", "--quiet")
        (folders[memories] / "memgit.toml").touch()
        fill(folders[memories], git, memories)
        index_of(folders[memories]).sync()
    taken: dict[int, list[float]] = {100: [], 5000: []}
    for number in range(31):
        for memories, folder in folders.items():
            (folder / f"m{number:04}.md").write_text(text(Random(number)))
            git(folder, "commit", "--quiet", "--all", "--message=one")
            index = index_of(folder)
            started = time.perf_counter()
            index.sync()
            taken[memories].append(time.perf_counter() - started)
    assert median(taken[5000]) <= 1.5 * median(taken[100])


# ----------------------------------------------------------------------------- damage and repair


@pytest.fixture
def small(store: Path, git: Run) -> Path:
    """Five memories, indexed."""
    fill(store, git, 5)
    index_of(store).sync()
    return store


def files(index: Index) -> list[Path]:
    return [path for folder in (index.folder, index.table) for path in sorted(folder.iterdir())
            if not path.name.endswith("LOCK")]  # fmt: skip


def half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for place in range(0, len(data), max(1, len(data) // 7)):
        data[place] ^= 0x41
    path.write_bytes(data)


def noise(path: Path) -> None:
    path.write_bytes(Random(2).randbytes(path.stat().st_size + 1))


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [half, flip, noise, folder, Path.unlink])
def test_any_damaged_file_is_mended_by_the_next_command(
    small: Path, damage: Callable[[Path], None]
) -> None:
    terms = vocabulary(index_of(small))
    before = seen(index_of(small), terms)
    for number in range(len(files(index_of(small)))):
        damage(files(index_of(small))[number])
        assert index_of(small).sync().rebuilt
        equal(before, seen(index_of(small), terms))


@pytest.mark.parametrize("ask", ["search", "records", "named", "rank"])
def test_an_index_that_rots_in_silence_is_mended_when_it_is_asked(small: Path, ask: str) -> None:
    """Bytes change, size and time do not: what shows is mended, and nothing hangs or breaks out."""
    index = index_of(small)
    asked: dict[str, Callable[[Index], Any]] = {
        "search": lambda index: index.search("deploy staging", 5),
        "records": lambda index: index.records(),
        "named": lambda index: index.named("m0001.md"),
        "rank": lambda index: index.rank(["deploy"], 5),
    }
    random = Random(ask)
    for _ in range(8):
        index.sync(anew=True)
        path = random.choice([path for path in files(index) if path.parent == index.folder])
        data, times = bytearray(path.read_bytes()), path.stat().st_mtime_ns
        for _ in range(random.choice((1, 4, 40))):
            data[random.randrange(len(data))] = random.randrange(256)
        path.write_bytes(data)
        os.utime(path, ns=(times, times))
        asked[ask](index_of(small))


def test_without_any_derived_folder(small: Path) -> None:
    import shutil

    shutil.rmtree(small / ".git/memgit")
    assert index_of(small).sync().rebuilt
    assert len(index_of(small).records()) == 5


@pytest.mark.parametrize(
    "change", [{"version": VERSION - 1}, {"version": VERSION + 1}, {"version": None},
               {"weights": {}}, {"commit": "0" * 40}, {"index": {}}]
)  # fmt: skip
def test_an_index_of_another_making_is_built_anew(small: Path, change: dict[str, Any]) -> None:
    index = index_of(small)
    write_head(index.table, {**index.head(), **change})
    assert index.sync().rebuilt
    assert not index_of(small).sync().rebuilt


ODD: list[Any] = [None, True, 7, -1.5, "text", [], [1], {"a": 1}, [{}], {"a": []}]


@pytest.mark.parametrize("key", ["weights", "recall", "half_life", "commit", "index", "memories",
                                 "moved", "measured_at", "bar", "restless", "log", "segments",
                                 "id", "file", "stamp", "deleted", "gone"])  # fmt: skip
def test_a_head_with_an_odd_value_is_no_obstacle(small: Path, git: Run, key: str) -> None:
    index = index_of(small)
    whole = index.head()
    for number, odd in enumerate(ODD):
        head = {**whole, key: odd}
        if key not in whole:
            head = {**whole, "segments": [{**whole["segments"][0], key: odd}]}
        write_head(index.table, head)
        if number % 3 == 0:  # a commit that it might be brought along to
            (small / "m0001.md").write_text(f"changed {key} {number}")
            git(small, "commit", "--quiet", "--all", "--message=one")
        index.sync()
        index.damage()
        assert index.rank(["changed"], 3)
        assert Table(str(index.table)).memories == 5


def test_a_bar_that_nothing_reaches_is_none(small: Path) -> None:
    index = index_of(small)
    for bar in (float("inf"), float("nan")):
        write_head(index.table, {**index.head(), "bar": bar})
        assert index.sync().rebuilt


def test_no_file_is_left_open(small: Path, memgit: Run) -> None:
    shown = {"PYTHONWARNINGS": "always::ResourceWarning"}
    for verb in ("add --body one", "index --rebuild", "search one", "recall --prompt one", "log"):
        done = memgit("--store", small, *verb.split(), env=shown)
        assert "ResourceWarning" not in done.stderr, (verb, done.stderr)


@pytest.mark.parametrize("name", ["table/head.json", "prompts.jsonl", "usage.log", "recall.log",
                                  "index.lock", "../lock", "../purged", "index/pipe"])  # fmt: skip
def test_a_pipe_in_the_place_of_a_file(small: Path, memgit: Run, name: str) -> None:
    path = index_of(small).folder.parent / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    (small / "m0001.md").write_text("changed, and not committed yet")
    for verb in ("doctor", "save", "recall --prompt what"):
        done = memgit("--store", small, *verb.split())
        assert done.returncode in (0, 1), (verb, done.stderr)


@pytest.mark.parametrize("name", ["index", "table", "index.new", "index.old"])
def test_a_file_in_the_place_of_a_folder(small: Path, name: str) -> None:
    import shutil

    place = index_of(small).folder.with_name(name)
    shutil.rmtree(place, ignore_errors=True)
    place.write_text("in the way")
    assert index_of(small).sync(anew=True).rebuilt
    assert not index_of(small).sync().rebuilt


def test_leftovers_of_a_killed_build_are_no_obstacle(small: Path, git: Run) -> None:
    index = index_of(small)
    for name in ("index.new", "index.old"):
        (index.folder.with_name(name) / "deep").mkdir(parents=True)
    (index.table / "head.json.123.new").write_text("half")
    (index.table / "x.v1.segment").write_text("old")
    (small / "m0001.md").write_text("changed")
    git(small, "commit", "--quiet", "--all", "--message=one")
    index.sync()
    index.sync(anew=True)
    left = {path.name for path in index.folder.parent.iterdir()}
    assert left == {"index", "table", "index.lock"}
    assert not list(index.table.glob("*.new"))


def test_a_table_that_is_open_stays_readable(small: Path, git: Run) -> None:
    index = index_of(small)
    old = Table(str(index.table))
    record = old.record(0)
    (small / "m0000.md").write_text("changed")
    git(small, "commit", "--quiet", "--all", "--message=one")
    index.sync()
    assert old.record(0) == record
    assert old.lookup("nowhere") == []


@pytest.mark.parametrize("anew", [False, True])
def test_prompts_are_answered_from_the_last_table_until_the_new_one_stands(
    small: Path, git: Run, anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_of(small)
    before = load_head(str(index.table))
    (small / "m0000.md").write_text("changed")
    git(small, "commit", "--quiet", "--all", "--message=one")
    seen_meanwhile = []
    publish = RecallTable.publish
    compiled = RecallTable._compiled

    def watch(original: Callable[..., Any]) -> Callable[..., Any]:
        def watching(*arguments: Any) -> Any:
            seen_meanwhile.append(Table(str(index.table)).head == before)
            result = original(*arguments)
            if original is compiled:
                seen_meanwhile.append(Table(str(index.table)).head == before)
            return result

        return watching

    monkeypatch.setattr(RecallTable, "publish", watch(publish))
    monkeypatch.setattr(RecallTable, "_compiled", watch(compiled))
    index.sync(anew=anew)
    assert len(seen_meanwhile) == 3
    assert all(seen_meanwhile)
    assert load_head(str(index.table)) != before


def test_a_failed_build_leaves_the_last_answer(
    small: Path, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_of(small)
    before = load_head(str(index.table))
    (small / "m0000.md").write_text("changed")
    git(small, "commit", "--quiet", "--all", "--message=one")

    def full(*ignored: object) -> None:
        raise OSError(28, "No space left on device", "a/file")

    monkeypatch.setattr("memgit.domain.indexing.recall_table.write_segment", full)
    with pytest.raises(StoreError, match="a/file: No space left on device") as fault:
        index.sync()
    assert "until then only recall answers from the last one" in fault.value.hint
    assert load_head(str(index.table)) == before
    Table(str(index.table))
    monkeypatch.undo()
    assert index.sync().commit == index.store.repository.head()


def test_a_failed_build_without_a_last_answer_says_so(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*ignored: object) -> None:
        raise OSError(28, "No space left on device", "a/file")

    monkeypatch.setattr("memgit.domain.indexing.recall_table.write_segment", full)
    index = index_of(small)
    shutil.rmtree(index.table)
    with pytest.raises(StoreError) as fault:
        index.sync()
    assert fault.value.hint.endswith("until then nothing is recalled")


def test_a_broken_table_is_never_read(small: Path) -> None:
    index = index_of(small)
    flip(next(index.table.glob("*.segment")))
    with pytest.raises(BrokenTable):
        Table(str(index.table))


# ----------------------------------------------------------------------------------- odd stores


@pytest.mark.parametrize("memories", [0, 1, 2])
def test_few_memories(store: Path, git: Run, memories: int) -> None:
    if memories:
        fill(store, git, memories)
    index = index_of(store)
    assert index.sync().memories == memories
    assert len(index.records()) == memories
    assert Table(str(index.table)).memories == memories
    assert index.search("deploy OR staging OR nothing", 5) is not None
    assert not index.sync().rebuilt


def test_no_commit_yet(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "memgit.toml").touch()
    (tmp_path / "a.md").write_text("not committed")
    index = index_of(tmp_path)
    assert index.sync() == Synced(None, 0, 0, True)
    assert index.sync() == Synced(None, 0, 0, False)
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message=first")
    assert index.sync().memories == 1
    git(tmp_path, "checkout", "--quiet", "--orphan", "empty")
    assert index.sync().memories == 0


@pytest.mark.parametrize(
    "path",
    ["-a.md", "a b/日本.md", "quote'\".md", "new\nline.md", "*.md", ":(top)a.md", "caf\udce9.md",
     "\x01.md", "tab\t.md", "e\u0301.md", "a/b/c/d/e.md"],
)  # fmt: skip
@pytest.mark.parametrize("many", [False, True])
def test_paths_of_any_name(store: Path, git: Run, path: str, many: bool) -> None:
    if many:
        fill(store, git, 25)
    (store / path).parent.mkdir(parents=True, exist_ok=True)
    (store / path).write_text("deploy to 本番\n")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one", "--date=2026-03-04T05:06:07Z")
    index = index_of(store)
    index.sync()
    (record,) = index.named(path)
    assert record["path"] == path
    assert record["recorded"] == "2026-03-04T05:06:07+00:00"
    (store / path).unlink()
    git(store, "commit", "--quiet", "--all", "--message=gone")
    assert not index.sync().rebuilt
    assert index.named(path) == []


def test_the_date_is_that_of_the_content(store: Path, git: Run) -> None:
    def commit(body: str, date: str, *options: str) -> None:
        (store / "a.md").write_text(body)
        git(store, "add", "a.md")
        git(store, "commit", "--quiet", "--message=step", f"--date={date}T00:00:00Z", *options)

    def recorded() -> str:
        grown = index_of(store)
        grown.sync()
        date = grown.records()[0]["recorded"][:10]
        grown.sync(anew=True)
        assert grown.records()[0]["recorded"][:10] == date
        return str(date)

    commit("one", "2026-01-01")
    assert recorded() == "2026-01-01"
    commit("two", "2026-02-02")
    assert recorded() == "2026-02-02"
    git(store, "commit", "--quiet", "--amend", "--message=other words")
    assert recorded() == "2026-02-02"
    git(store, "reset", "--quiet", "--hard", "HEAD~1")
    assert recorded() == "2026-01-01"


def test_a_large_memory_is_bounded(store: Path, git: Run) -> None:
    import time

    random = Random(1)
    lines = "\n".join(text(random)[100:] for _ in range(20_000))[:5_000_000]
    (store / "large.md").write_text(f"# Large\n\nneedle-at-the-start\n{lines}\n")
    (store / "line.md").write_text("one-line " + "x" * 2_000_000 + " end")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=large")
    index = index_of(store)
    started = time.process_time()
    index.sync()
    assert time.process_time() - started < 30
    table = Table(str(index.table))
    for number in range(2):
        assert len(json.dumps(table.record(number))) < 200_000
    (hit,) = index.search("needle-at-the-start", 5)
    assert hit.record["name"] == "large"
    assert all(len(line) < 300 for line in hit.lines)


def test_each_work_tree_has_its_own_index(store: Path, git: Run, tmp_path: Path) -> None:
    fill(store, git, 3)
    git(store, "worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    (tmp_path / "linked/mine.md").write_text("only here")
    git(tmp_path / "linked", "add", "--all")
    git(tmp_path / "linked", "commit", "--quiet", "--message=mine")
    for root, memories in ((store, 3), (tmp_path / "linked", 4)):
        assert index_of(root).sync().memories == memories
    assert not index_of(store).sync().rebuilt


def test_a_shallow_clone(sample: Path, git: Run, tmp_path: Path) -> None:
    (sample / "new.md").write_text("new")
    git(sample, "add", "--all")
    git(sample, "commit", "--quiet", "--message=new")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{sample}", "shallow")
    index = index_of(tmp_path / "shallow")
    index.sync()
    assert len(index.records()) == len(index.store.paths())


def test_the_size_is_bounded(sample: Path) -> None:
    index = index_of(sample)
    index.sync()
    texts = sum((sample / path).stat().st_size for path in index.store.paths())
    assert sum(path.stat().st_size for path in files(index)) <= 16 * texts
