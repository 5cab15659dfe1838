"""Enriching measured on stores of other people, with words from scripts: no model is asked here.

The scripts know the labels, so they show what the sieve and `--ab` do with good and with bad words;
they say nothing of how good a model's words are.
"""

import json
import os
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import pytest

from memgit.domain.enriching.ledger import Enriched
from memgit.domain.enriching.sieve import Sieve
from memgit.domain.indexing import fields
from memgit.domain.memory import Memory, key_of
from memgit.domain.store import Store
from memgit.evaluation import built_store, corpus
from memgit.passes import enrich as enriching
from memgit.prompt.ranking import SLIGHT, Rarity
from memgit.prompt.terms import tokens

Run = Callable[..., subprocess.CompletedProcess[str]]

CORPUS = os.environ.get("MEMGIT_BENCH_CORPUS", "")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPUS, reason="MEMGIT_BENCH_CORPUS names no folder of labelled stores"),
]

SEED = 7
TARGETS = 20
"""Memories of each store that words are planted on."""

PLANTED = 6
"""Words of each kind that are planted on one memory."""

OFTEN = 3
"""Prompts of small talk that hold a word which is then taken for generic."""

CHORES = """
fix,test,tests,code,file,files,commit,push,branch,change,update,run,build,error,check,review,project
task,issue,docs,version,function,add,remove,question,continue,next step,pull request,clean up
try again,refactor,server,bug,merge
テスト,修正,確認,実装,コミット,ファイル,エラー,追加,変更,進捗,削除,お願い,次の作業,レビュー
テスト 実行,代码,测试,提交,文件,修改
"""

USUAL = 0.05
"""The share of the person's prompts from which a word in them is planted as one that lifts."""


class Planted:
    """A store of the corpus, and words that do not belong to a memory of it."""

    def __init__(self, source: corpus.LabelledStore, cache: Path) -> None:
        self.store = built_store.of_notes(source.notes, built_store.SETTINGS, (), cache).store
        self.store.derived.mkdir(parents=True, exist_ok=True)
        rows = [json.dumps({"text": text}) + "\n" for text in source.log]
        (self.store.derived / built_store.LOG).write_text("".join(rows), "ascii")
        self.memories = {path: self.store.read(path) for path in self.store.paths()}
        self.dice = random.Random(SEED)

    @cached_property
    def said(self) -> dict[str, Counter[str]]:
        return {
            path: Counter(tokens("\n".join(fields.texts(memory).values())))
            for path, memory in self.memories.items()
        }

    def bad(self, path: str, generic: Sequence[str]) -> Iterator[tuple[str, str]]:
        """(kind, words) to plant on a memory; none of them stands in it."""
        own = self.said[path]
        for words in self.dice.sample(generic, min(PLANTED, len(generic))):
            if not any(set(tokens(word)) <= own.keys() for word in words.split()):
                yield "generic", words
        for _ in range(PLANTED):
            other = self.dice.choice([each for each in self.memories if each != path])
            told = fields.texts(self.memories[other])
            about = " ".join(told[name] for name in ("name", "title", "description", "headings"))
            pieces = dict.fromkeys(about.replace("/", " ").replace("-", " ").split())
            names = [word for word in pieces if word.isalnum() and is_new(word, own)]
            if names:
                yield "of another memory", self.dice.choice(names)
            counts = self.said[other].items()
            often = [term for term, n in counts if n >= OFTEN and is_new(term, own)]
            if often:
                yield "of another memory", self.dice.choice(often)

    def typed_often(self, path: str) -> Iterator[tuple[str, str]]:
        """Words that stand in many prompts of the person, and not in the memory."""
        prompts = [set(tokens(text)) for text in dict.fromkeys(self.log)]
        counts = Counter(term for prompt in prompts for term in prompt)
        least = max(2, USUAL * len(prompts))
        own = self.said[path]
        often = [term for term, n in counts.items() if n > least and is_new(term, own)]
        often = [term for term in often if Rarity()(term, 100, 0) >= SLIGHT]
        for term in self.dice.sample(often, min(PLANTED, len(often))):
            yield "of many prompts", term

    @cached_property
    def log(self) -> list[str]:
        return Sieve(self.store).log.prompts


def is_new(word: str, own: Counter[str]) -> bool:
    """Whether a word of some length has a term that a memory does not have."""
    return word.isalpha() and len(word) > 2 and not set(tokens(word)) <= own.keys()


def generic_words(idle: Sequence[corpus.Case]) -> list[str]:
    """What stands in several prompts of small talk that the sieve has never seen, and chores."""
    strip = ".,!?()\"'`:;[]"
    counts = Counter(
        word
        for case in idle
        for word in {piece.strip(strip).lower() for piece in case.prompt.split()}
        if len(word) > 1 and tokens(word)
    )
    rarity = Rarity()
    often = [word for word, count in counts.items() if count >= OFTEN]
    return [
        *(word for word in often if rarity(tokens(word)[0], 100, 0) >= SLIGHT),
        *CHORES.strip().replace("\n", ",").split(","),
    ]


def test_planted_words_are_dropped(tmp_path: Path) -> None:
    stores, _ = corpus.load(Path(CORPUS))
    beside = corpus.chatter_beside([Path(CORPUS)])
    generic = generic_words(corpus.chatter(beside)[0] if beside else ())
    counts: Counter[tuple[str, bool]] = Counter()
    for source in stores:
        planted = Planted(source, tmp_path / "cache")
        sieve = Sieve(planted.store)
        paths = sorted(planted.memories)
        for path in planted.dice.sample(paths, min(TARGETS, len(paths))):
            for kind, words in (*planted.bad(path, generic), *planted.typed_often(path)):
                kept = sieve.sift(planted.memories[path], [words]).kept
                counts[kind, not kept] += 1
    for kind in sorted({kind for kind, _ in counts}):
        planted_words = counts[kind, True] + counts[kind, False]
        print(f"\nplanted, {kind}: {counts[kind, True]} of {planted_words} dropped")
        assert counts[kind, True] >= 0.95 * planted_words


@pytest.mark.parametrize("kind", ["good", "bad"])
def test_ab_keeps_what_helps_and_takes_back_what_harms(
    kind: str, tmp_path: Path, memgit: Run, git: Run
) -> None:
    stores, _ = corpus.load(Path(CORPUS))
    outcomes: Counter[str] = Counter()
    through: Counter[str] = Counter()
    for source in stores:
        root = own_store(source, tmp_path / source.name, git)
        script = good_words(source, root) if kind == "good" else bad_words(source, root)
        store = Store.at(root)
        asked = enriching.due(store, Enriched(store), script)
        write_answers(root, asked, script)
        done = memgit("--store", root, "enrich", *script, "--ab", "--json")
        assert done.returncode in (0, 1), done.stderr
        told = json.loads(done.stdout)
        words = sum(len(row["words"]) for row in told["memories"])
        lacked = [row for row in told["dropped"] if "already" not in row["why"]]
        through.update(kept=words, dropped=len(lacked))
        if not told["ab"]:
            outcome = "nothing passed the sieve"
        else:
            outcome = "taken back" if told["undone"] else "kept"
            three = told["ab"]["three"]
            fell = told["ab"]["fell"]
            print(f"\n{kind}, {source.name}: {words} words, {outcome}, {len(told['ab']['changes'])}"
                  f" prompts changed, {three['before']} → {three['after']} {fell}")  # fmt: skip
            assert bool(told["undone"]) == bool(fell)
            status = store.repository.run("status", "--porcelain", "--untracked-files=no")
            assert status == ""
        outcomes[outcome] += 1
    print(f"\n{kind}: {dict(outcomes)}; words that the memories lack: {dict(through)}")
    assert outcomes["kept" if kind == "good" else "taken back"] > len(stores) / 2


def own_store(source: corpus.LabelledStore, root: Path, git: Run) -> Path:
    """A store of the notes, with the labelled prompts as the person's battery, and no log."""
    shutil.copytree(source.notes, root)
    (root / "memgit.toml").write_text(
        'format = 1\n\n[model]\ndoor = "replay"\nanswers = "answers.jsonl"\n'
    )
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=notes")
    folder = Store.at(root).derived
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {"id": case.id, "prompt": case.prompt, "kind": case.kind, "lang": case.lang,
         "relevant": list(case.relevant), "also": list(case.also)}
        for case in source.cases
    ]  # fmt: skip
    (folder / "battery.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


def good_words(source: corpus.LabelledStore, root: Path) -> dict[str, list[str]]:
    """Path → words of the prompts that the memory belongs to first, where it does not have them."""
    return planted_words(
        root,
        ((case.prompt, case.relevant[0]) for case in source.cases if case.kind == corpus.SUBJECT),
    )


def bad_words(source: corpus.LabelledStore, root: Path) -> dict[str, list[str]]:
    """Path → words of prompts to which nothing belongs, on memories drawn at random."""
    dice = random.Random(SEED)
    paths = sorted(Store.at(root).paths())
    idle = [case.prompt for case in source.cases if not case.relevant]
    return planted_words(root, ((prompt, dice.choice(paths)) for prompt in idle))


def planted_words(root: Path, pairs: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    store = Store.at(root)
    memories = {path: store.read(path) for path in store.paths()}
    found: dict[str, list[str]] = {}
    for prompt, named in pairs:
        if memory := called(memories, named):
            pieces = (word.strip(".,?!:;()\"'`、。「」") for word in prompt.split())
            found.setdefault(memory.path, []).extend(word for word in pieces if len(word) < 30)
    return found


def called(memories: dict[str, Memory], named: str) -> Memory | None:
    same = (one for one in memories.values() if key_of(one.name) == key_of(named))
    return memories.get(named) or next(same, None)


def write_answers(root: Path, asked: Sequence[Memory], script: dict[str, list[str]]) -> None:
    """What a model would say in each call, one after the other."""
    lines = []
    for start in range(0, len(asked), enriching.TOGETHER):
        batch = asked[start : start + enriching.TOGETHER]
        notes = [{"number": n, "words": script[memory.path]} for n, memory in enumerate(batch, 1)]
        lines.append(json.dumps({"task": "enrich", "value": {"notes": notes}}) + "\n")
    (root / "answers.jsonl").write_text("".join(lines))
