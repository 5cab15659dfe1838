"""The tokenizer: pure tables."""

from unicodedata import category, combining, normalize

import pytest

from memgit.prompt.terms import _SIGNS, LONGEST_TERM, _is_normal, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseHTTPHeader", ["parsehttpheader", "parse", "http", "header"]),
        ("auth-service auth_service AuthService",
         ["authservice", "auth", "service"] * 3),
        ("ops/rotate-keys.py",
         ["ops/rotatekeyspy", "rotatekeyspy", "ops", "rotate", "keys", "py"]),
        ("--dry-run", ["dryrun", "dry", "run"]),
        ("python 3.11.7", ["python", "3.11.7", "3.11"]),
        ("don't user's 'quoted'", ["don", "user", "quoted"]),
        ("configuração CONFIGURAÇÃO", ["configuracao", "configuracao"]),
        ("SSH铁律服务器", ["ssh", "铁律", "律服", "服务", "务器"]),
        ("即适者生存", ["即适", "适者", "者生", "生存"]),
        ("止损", ["止损"]),
        ("鍵を更新する", ["鍵", "更新"]),
        ("サーバー", ["サーバ"]),
        ("ｻｰﾊﾞｰ", ["サーバ"]),
        ("サンドボックス", ["サンドボックス", "サンド", "ンドボ", "ドボッ", "ボック", "ックス"]),
        ("서버 배포합니다", ["서버", "배포", "포합", "합니", "니다"]),
        ("ＡＢＣ　２０２６", ["abc", "2026"]),
        ("お願いします", ["願"]),
        ("はい、そうです", []),
        ("👍 … --- ...", []),
        ("TODO: fix GB/s", ["todo", "fix", "gb/s", "s", "gb"]),
        ("", []),
    ],
)  # fmt: skip
def test_terms(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize("text", ["a b", "日本 ＡＢＣ x", "naïve ﬁnd ①② x", "e\u0301te\u0301 b"])
def test_places_lie_in_the_text_and_ascend(text: str) -> None:
    places = [(a, b) for a, b, _ in words(text)]
    assert all(0 <= a < b <= len(text) for a, b in places)
    assert places == sorted(places)


def test_the_place_of_a_word_is_where_it_stands() -> None:
    text = "use ops/Rotate.py, サーバーを再起動"
    assert [text[a:b] for a, b, _ in words(text)] == [
        "use", "ops/Rotate.py", "サーバー", "再起", "起動",
    ]  # fmt: skip


def test_a_blob_is_cut_alike_on_both_sides() -> None:
    blob = "a1" * 500
    assert tokens(blob) == [blob[:LONGEST_TERM]]


def test_what_is_taken_for_normal_is_left_alone_by_unicode() -> None:
    """Else a run would have other terms where it stands alone than next to other characters."""
    for code in (*range(0x80, 0xD800), *range(0xE000, 0x20000)):
        character = chr(code)
        if _is_normal(character):
            assert normalize("NFKC", character) == character
            assert combining(character) == 0
        if character in _SIGNS:
            assert not character.isalnum()
            assert category(character)[0] not in "LMN"
