"""A battery: each prompt is asked once, each answer is on the disk at once, git never sees it."""

import json
from pathlib import Path

import pytest

from memgit.domain.indexing.index import Index
from memgit.domain.language import language
from memgit.domain.store import Store
from memgit.errors import StoreError
from memgit.evaluation import battery
from memgit.evaluation.metrics import Shown

from ..conftest import Run

PORT = "psql says connection refused when I connect to staging, which port was it again?"


def session(folder: Path, name: str, *said: tuple[str, str]) -> None:
    """A transcript of prompts and answers."""
    rows = []
    for prompt, answer in said:
        for kind, text in (("user", prompt), ("assistant", answer)):
            rows.append({"type": kind, "message": {"content": [{"type": "text", "text": text}]}})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def opened(sample: Path) -> Store:
    store = Store.at(sample)
    Index(store).sync()
    return store


def test_each_prompt_is_asked_once_with_its_turn_before(tmp_path: Path) -> None:
    session(tmp_path / "p", "one", (PORT, "15432"), ("ok", "done"), ("ok ", "done"))
    session(tmp_path / "q", "two", ("ok", "fine"))
    asked = {question.prompt: question for question in battery.questions(tmp_path)}
    assert set(asked) == {PORT, "ok"}
    assert (asked["ok"].previous.prompt, asked["ok"].previous.answer) == (PORT, "15432")
    assert asked[PORT].previous.prompt == ""
    session(tmp_path / "q", "three", ("another", ""))
    order = [question.prompt for question in battery.questions(tmp_path)]
    assert [prompt for prompt in order if prompt != "another"] == list(asked), "the order stays"


def test_a_key_is_no_question_but_stands_before_the_next_one(tmp_path: Path) -> None:
    keys = [(key, "") for key in ("1", "y", " 2. ", "(b)", "12", "?")]
    session(tmp_path, "s", (PORT, "which?"), *keys, ("続", ""), ("no", ""), ("404", ""))
    asked = {question.prompt: question for question in battery.questions(tmp_path)}
    assert set(asked) == {PORT, "続", "no", "404"}
    assert asked["続"].previous.prompt == "?"


def test_what_a_program_asked_is_no_question(tmp_path: Path) -> None:
    session(tmp_path, "s", (PORT, "15432"))
    (file,) = tmp_path.rglob("*.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for marks in ({"entrypoint": "sdk-cli"}, {"promptSource": "sdk"}, {"origin": {"kind": "sdk"}}):
        file.write_text("".join(json.dumps({**row, **marks}) + "\n" for row in rows))
        assert battery.questions(tmp_path) == []


def test_answers_are_kept_one_by_one_and_the_last_one_counts(opened: Store, tmp_path: Path) -> None:
    session(tmp_path / "t", "s", (PORT, ""), ("ok", ""), ("who?", ""), ("金曜は？", ""))
    by_prompt = {question.prompt: question for question in battery.questions(tmp_path / "t")}
    battery.record(opened, by_prompt[PORT], [])
    battery.record(opened, by_prompt[PORT], ["staging-database"])
    battery.record(opened, by_prompt["ok"], [])
    battery.record(opened, by_prompt["who?"], None)
    battery.record(opened, by_prompt["金曜は？"], ["no-deploy-on-friday"])
    assert len(battery.battery_file(opened).read_text().splitlines()) == 5
    assert battery.answered(opened) == {question.id for question in by_prompt.values()}
    cases, faults = battery.read(opened)
    assert faults == []
    assert [(case.prompt, case.kind, case.relevant, case.lang) for case in cases] == [
        (PORT, "subject", ("staging-database",), "latin"),
        ("ok", "nothing", (), "latin"),
        ("金曜は？", "subject", ("no-deploy-on-friday",), "ja"),
    ]


def test_git_never_sees_what_was_typed(opened: Store, tmp_path: Path) -> None:
    session(tmp_path / "t", "s", (PORT, ""))
    (question,) = battery.questions(tmp_path / "t")
    battery.record(opened, question, [])
    battery.keep_log(opened, [PORT])
    assert opened.repository.run("status", "--porcelain", "--ignored") == ""
    for path in (battery.battery_file(opened), battery.log_file(opened)):
        assert opened.repository.common_dir in path.parents


def test_the_log_holds_each_prompt_once(opened: Store) -> None:
    assert battery.logged(opened) == []
    assert battery.keep_log(opened, ["a", "b", "a"]) == 2
    assert battery.keep_log(opened, ["b", "c\nd", "日本語 \ud800"]) == 2
    assert battery.logged(opened) == ["a", "b", "c\nd", "日本語 \ud800"]


def test_what_is_shown_is_offered_first(opened: Store, tmp_path: Path) -> None:
    session(tmp_path / "t", "s", (PORT, ""))
    (question,) = battery.questions(tmp_path / "t")
    offered, shown = battery.Offers(opened).of(question)
    assert offered[0].path == "ops/staging-database.md"
    assert 1 <= shown <= 2
    assert shown < len(offered) <= 9
    assert len({memory.path for memory in offered}) == len(offered)


def test_a_memory_without_a_description_tells_its_first_words(store: Path, git: Run) -> None:
    (store / "tiles.md").write_text("# 地図タイルの配信\n\nText.\n", "utf-8")
    git(store, "add", "--all")
    git(store, "commit", "--quiet", "--message=one")
    opened = Store.at(store)
    Index(opened).sync()
    offers = battery.Offers(opened)
    assert offers.about(Shown("tiles.md", "tiles")) == "地図タイルの配信"
    assert offers.about(Shown("gone.md", "gone")) == "gone.md"


def test_no_battery_says_how_to_get_one(opened: Store) -> None:
    with pytest.raises(StoreError, match="no battery") as caught:
        battery.read(opened)
    assert "collect" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "lang"),
    [("夜間バッチ", "ja"), ("配置服务器", "zh"), ("서버", "ko"), ("configuração", "latin"),
     ("сервер", "other"), ("👍", "other")],
)  # fmt: skip
def test_the_script_tells_the_language(text: str, lang: str) -> None:
    assert language(text) == lang
