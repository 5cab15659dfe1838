"""Whether a candidate keeps the sense of the sentences that it quotes."""

from typing import Any

import pytest

from memgit.domain.harvesting.candidate import Candidate, Quote
from memgit.domain.harvesting.heard import Found, Heard
from memgit.domain.harvesting.sense import corrected, turned, unconditional
from memgit.domain.harvesting.wording import is_negative
from memgit.domain.transcripts.turns import Turn


def heard(*prompts: str) -> Heard:
    at = "2026-11-01T09:00:00.000Z"
    return Heard([Turn("s", f"t{number}", at, "/home/me", 0, 1, prompt, "", (), (), ())
                  for number, prompt in enumerate(prompts)])  # fmt: skip


def case(
    prompt: str, words: str, claim: str = "", *later: str
) -> tuple[Candidate, list[Found], Any]:
    session = heard(prompt, *later)
    quote = Quote(1, "user", words)
    found = session.find(quote)
    assert found
    return Candidate("feedback", "rule", claim or words, claim or words, (quote,)), [found], session


DEPLOY = "deploy straight to production without tests"


@pytest.mark.parametrize(
    ("prompt", "words", "claim"),
    [
        (f"Never {DEPLOY}.", DEPLOY, ""),
        (f"Please don’t {DEPLOY}!", DEPLOY, ""),
        (f"Never, ever {DEPLOY}.", DEPLOY, ""),
        (f"You shouldn't {DEPLOY}.", DEPLOY, f"Always {DEPLOY}."),
        (f"Avoid it: do not {DEPLOY}", DEPLOY, ""),
        (f"Do not ever:\n- push to main\n- {DEPLOY}\n", DEPLOY, ""),
        ("Squash every commit before merging.", "Squash every commit before merging",
         "Do not squash every commit before merging."),
        ("本番へテストなしで直接デプロイしないでください。", "本番へテストなしで直接デプロイ",
         "本番へテストなしで直接デプロイする"),
        ("本番へ直接デプロイするのは禁止。", "本番へ直接デプロイする", ""),
        ("次のことはしないで：\n・本番へ直接デプロイする\n", "本番へ直接デプロイする", ""),
    ],
)  # fmt: skip
def test_a_quote_that_was_cut_does_not_say_the_opposite(
    prompt: str, words: str, claim: str
) -> None:
    candidate, found, _ = case(prompt, words, claim)
    assert turned(candidate, found)


@pytest.mark.parametrize(
    ("prompt", "words", "claim"),
    [
        (f"Never {DEPLOY}.", f"Never {DEPLOY}", ""),
        ("Indent with tabs, not spaces.", "Indent with tabs, not spaces", "Indent with tabs."),
        ("No, indent with tabs in Go.", "indent with tabs in Go", ""),
        ("Don't forget to run the linter before pushing.", "run the linter before pushing",
         "Run the linter before pushing."),
        ("Use pnpm here. We never use yarn.", "Use pnpm here. We never use yarn",
         "Use pnpm, never yarn."),
        ("These hold:\n- indent with tabs in Go\n", "indent with tabs in Go", ""),
        ("I don't like spaces\n\nindent with tabs in Go", "indent with tabs in Go", ""),
        ("コミットの前に必ずテストを実行しなければならない。", "必ずテストを実行しなければならない",
         "コミットの前に必ずテストを実行する"),
        ("リベースではなく、マージコミットを使ってください。", "マージコミットを使ってください",
         "マージコミットを使う"),
        ("本番へ直接デプロイしないでください。", "本番へ直接デプロイしない",
         "本番へ直接デプロイしない"),
    ],
)  # fmt: skip
def test_what_keeps_the_sense_passes(prompt: str, words: str, claim: str) -> None:
    candidate, found, _ = case(prompt, words, claim)
    assert turned(candidate, found) == ""


@pytest.mark.parametrize(
    ("prompt", "words", "dropped"),
    [
        (f"If the hotfix flag is set, {DEPLOY}.", DEPLOY, True),
        (f"On the sandbox only if nobody uses it:\n- {DEPLOY}", DEPLOY, True),
        ("緊急の場合は本番へ直接デプロイしてください。", "本番へ直接デプロイしてください", True),
        ("Use tabs in Go, if possible.", "Use tabs in Go", False),
        ("Use tabs in Go. If it fails, tell me.", "Use tabs in Go", False),
        (f"If the hotfix flag is set, {DEPLOY}.", f"If the hotfix flag is set, {DEPLOY}", False),
    ],
)
def test_a_condition_is_not_left_out(prompt: str, words: str, dropped: bool) -> None:
    candidate, found, _ = case(prompt, words)
    assert bool(unconditional(candidate, found)) is dropped


@pytest.mark.parametrize(
    ("prompt", "later", "is_other"),
    [
        ("The staging port is 6432.", "Sorry, I was wrong, 7432.", True),
        ("The staging port is 6432.", "No, 7432", True),
        ("ステージングのポートは6432です。", "ごめん間違えた、7432だった。", True),
        ("The staging port is 6432.", "Actually 6432 works fine.", False),
        (
            "The staging port is 6432.",
            "No, start three workers and two queues with 5 retries",
            False,
        ),
        ("The staging port is 6432.", "Run 3 of them.", False),
        ("The staging host is db-a.", "No, 7432", False),
    ],
)
def test_a_value_put_right_in_few_words_is_noticed(prompt: str, later: str, is_other: bool) -> None:
    _, found, session = case(prompt, prompt.rstrip(".。"), "", later)
    assert bool(corrected(found, session)) is is_other


@pytest.mark.parametrize(
    ("sentence", "is_so"),
    [
        ("We won't use yarn", True), ("Stop rebasing", True), ("yarnは使うな", True),
        ("yarnを使わずに進める", True), ("Do not forget the changelog", False),
        ("必ず実行しなければならない", False), ("no more than 3 retries", False),
        ("Use yarn", False),
        ("危ないので注意する", False),
    ],
)  # fmt: skip
def test_a_no_is_told_from_what_only_looks_like_one(sentence: str, is_so: bool) -> None:
    assert is_negative(sentence) is is_so
