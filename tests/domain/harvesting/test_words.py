"""Whose words they are, how they are meant, and which values they bear out."""

import pytest

from memgit.domain.harvesting.observed import is_observed
from memgit.domain.harvesting.own_words import own_words
from memgit.domain.harvesting.swaps import differs_in_numbers, swaps
from memgit.domain.harvesting.values import is_worked_out, unborne, values
from memgit.domain.harvesting.wording import (
    is_asked,
    is_of_today,
    is_passed_on,
    is_supposed,
    takes_back,
)
from memgit.domain.transcripts.turns import Step

RULE = "Always squash commits before a merge."


@pytest.mark.parametrize(
    "prompt",
    [
        RULE,
        f"ok. {RULE} And don't ask me again, it's settled.",
        f"From now on:\n- {RULE}\n- use tabs",
        f"Two rules for you:\n\n1. {RULE}\n2. Use tabs.",
        f"{RULE}\n```\nsome code\n```",
        f"it's fine, I'd do it. {RULE} They're all used to it, aren't they",
        f"覚えておいて。{RULE}",
    ],
)
def test_what_a_person_typed_is_their_own(prompt: str) -> None:
    assert RULE in own_words(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        f"```\n{RULE}\n```",
        f"<doc>\n{RULE}\n</doc>\nwhat is this",
        f"> {RULE}\n\nwhat does it mean",
        f"The README says:\n\n{RULE}",
        f"here is the mail from the vendor:\n{RULE}\nthanks",
        f"# Guide\n\n{RULE}\n",
        f"Subject: rules\nFrom: x@example.com\n\n{RULE}",
        f'he wrote "{RULE}" in the ticket',
        f"資料に以下のように書いてあります。\n{RULE}",
        f"先方から「{RULE}」と来た",
        "\n".join(["first", *["a line of some document"] * 8, RULE, *["another line"] * 8, "last"]),
        "x" * 700 + RULE,
    ],
)
def test_what_a_person_pasted_or_quoted_is_not(prompt: str) -> None:
    assert RULE not in own_words(prompt)


@pytest.mark.parametrize(
    ("is_so", "yes", "no"),
    [
        (is_asked, ["Should we use tabs?", "タブを使いますか。"], ["Use tabs.", "使う。"]),
        (is_supposed,
         ["What if we use tabs", "Maybe tabs.", "We could use tabs.", "もしタブなら"],
         ["Use tabs.", "タブを使う", "The port is 8420."]),
        (is_passed_on,
         ["I heard it is 8420.", "The blog says 8420.", "It is probably 8420.", "8420らしい",
          "業者によると8420", "Bob said it is 8420."],
         ["It is 8420.", "8420です", "Say 8420 in the docs.", "確かめた。8420です"]),
        (is_of_today,
         ["For now use tabs.", "just this once", "今日だけ", "とりあえず", "it is in progress"],
         ["From today on use tabs.", "Use tabs.", "今日からタブ", "The daily job runs at 5."]),
        (takes_back,
         ["No, that's wrong.", "Actually it is 8410.", "It turned out that it was not the cookie.",
          "We no longer use vLLM.", "違う、8410だ", "訂正します", "タブではなく空白"],
         ["Yes, right.", "Use tabs.", "はい、そうです"]),
    ],
)  # fmt: skip
def test_how_a_sentence_is_meant(is_so: object, yes: list[str], no: list[str]) -> None:
    assert [one for one in yes if not is_so(one)] == []  # type: ignore[operator]
    assert [one for one in no if is_so(one)] == []  # type: ignore[operator]


def test_values_are_found_beside_any_script() -> None:
    text = "上限は40MB、ポートは8420番。`trunk` と config/app.yaml と DB_URL、v1.2.3、12,000件"
    assert values(text) == {"40", "8420", "trunk", "config/app.yaml", "db_url", "1.2.3", "12000"}


@pytest.mark.parametrize(
    ("text", "quoted", "missing"),
    [
        ("port 8420", "it listens on port 8420", []),
        ("port 842", "it listens on port 8420", ["842"]),
        ("version 1.2", "we run 1.2.3", ["1.2"]),
        ("12,000 rows", "there are 12000 rows", []),
        ("上限は４０MB", "上限は40MBです", []),
        ("branch `main`", "we are on trunk", ["main"]),
    ],
)
def test_a_value_that_was_not_said_is_told(text: str, quoted: str, missing: list[str]) -> None:
    assert unborne(text, [quoted]) == missing


@pytest.mark.parametrize(
    ("value", "quoted", "expected"),
    [
        ("38", "fetch 12 min, restore 26 min", True),
        ("19", "fetch 12 min, restore 26 min", True),
        ("65", "62 of 96 failed", True),
        ("3", "the shards are 11, 12 and 14", True),
        ("39", "fetch 12 min, restore 26 min", False),
        ("8420", "the port is 8410", False),
        ("main", "1 and 2", False),
    ],
)
def test_what_can_be_worked_out_is_known_as_such(value: str, quoted: str, expected: bool) -> None:
    assert is_worked_out(value, [quoted]) is expected


def test_sentences_that_differ_in_a_word_are_told_from_others() -> None:
    claim = "The Kestrel API listens on port 8420."
    assert swaps(claim, "the Heron API listens on port 8420") == [("kestrel", "heron")]
    assert swaps("隼APIのポートは8420です。", "鷲APIのポートは8420です。") == [("隼", "鷲")]
    assert swaps(claim, "The Kestrel API now listens on port 9.") == []
    assert swaps(claim, "Kestrel moved.") is None
    assert differs_in_numbers(claim, "Kestrel API listens on port 8410")
    assert not differs_in_numbers(claim, "The Heron API listens on port 8410.")
    assert not differs_in_numbers(claim, claim)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Step("s", tool="Bash", input={"command": "ss -ltn"}), True),
        (Step("s", tool="Grep", input={"pattern": "port", "path": "config"}), True),
        (Step("s", tool="Read", input={"file_path": "/app/config.yaml"}), True),
        (Step("s", tool="Bash", input={"command": "ss -ltn"}, failed=True), False),
        (Step("s", tool="Read", input={"file_path": "/app/README.md"}), False),
        (Step("s", tool="Bash", input={"command": "cat docs/guide.md"}), False),
        (Step("s", tool="Bash", input={"command": "curl https://example.com"}), False),
        (Step("s", tool="Bash", input={"command": "echo the port is 8420"}), False),
        (Step("s", tool="Read", input={"file_path": "node_modules/x/config.json"}), False),
        (Step("s", tool="WebFetch", input={"url": "https://example.com"}), False),
        (Step("s", tool="mcp__tracker__get", input={}), False),
        (Step("s", tool="Task", input={"prompt": "look"}), False),
    ],
)
def test_a_page_a_document_and_another_agent_bear_out_nothing(step: Step, expected: bool) -> None:
    assert is_observed(step) is expected
