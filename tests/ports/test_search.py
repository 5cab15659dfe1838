"""Whoosh behind our own words and weights: its query language, and texts of every script."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgit.domain.indexing.documents import document
from memgit.domain.indexing.fields import REFERENCE_LENGTHS
from memgit.domain.memory import parse
from memgit.ports.search import BrokenIndex, QueryFault, SearchIndex
from memgit.prompt.terms import words

MEMORIES = {
    "deploy.md": "---\nname: deploy\ndescription: when we deploy\ntype: feedback\n---\n"
    "# Title\n\n## Deploy day\n\nDeploy on Tuesday, never on Friday. Ask auth-service first.\n",
    "staging.md": "---\nname: staging\ntype: reference\nunverified: yes\n---\n"
    "The staging port is 6432; deploy there with `make deploy`.\n",
    "friday.md": "---\nname: no-deploy-on-friday\ntype: feedback\n---\n"
    "TODO: fix it before Friday.\n",
    "cjk.md": "---\nname: 用户身份\n---\n即适者生存，止损。SSH铁律服务器。\n"
    "サンドボックスで試す。鍵の更新。서버를 배포한다\n",
    "rates.md": "---\nname: rates\n---\n"
    "The user's disk reads 3 GB/s, isn't it. gpu issues: v3.11.7\n",
    "sub/dir/path.md": "---\nname: path\naliases: [where files live]\ntopics: [layout]\n---\nx\n",
}


def weigh(field: str, times: float, length: float) -> float:
    return times * (3.0 if field == "name" else 1.0)


def rarity(term: str, memories: int, having: int) -> float:
    return (memories + 1) / (having + 1)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    made = SearchIndex(tmp_path_factory.mktemp("index"), tuple(REFERENCE_LENGTHS), words)
    made.create()
    made.write((), (document(parse(path, text.encode())[0], "0", "") for path, text
                    in MEMORIES.items()))  # fmt: skip
    return made


@pytest.fixture
def ask(index: SearchIndex) -> Callable[[str], list[str]]:
    """The paths that a query finds, best first, without their ending."""

    def run(query: str) -> list[str]:
        found = index.search(query, 10, weigh, rarity)
        return [str(hit.record["path"]).removesuffix(".md") for hit in found]

    return run


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("friday", ["friday", "deploy"]),
        ("deploy friday", ["friday", "deploy", "staging"]),
        ("deploy AND friday", ["friday", "deploy"]),
        ("deploy NOT friday", ["staging"]),
        ("deploy AND NOT friday", ["staging"]),
        ("deploy NOT type:feedback", ["staging"]),
        ("NOT deploy", ["cjk", "rates", "sub/dir/path"]),
        ("tuesday OR 6432", ["deploy", "staging"]),
        ("(tuesday OR 6432) AND type:reference", ["staging"]),
        ("type:feedback", ["deploy", "friday"]),
        ("TYPE:feedback", []),
        ("type:Feedback", ["deploy", "friday"]),
        ("label:unverified", ["staging"]),
        ("name:staging", ["staging"]),
        ("headings:deploy", ["deploy"]),
        ("code:deploy", ["staging"]),
        ("aliases:live", ["sub/dir/path"]),
        ("topics:layout", ["sub/dir/path"]),
        ("path:sub/dir/path.md", ["sub/dir/path"]),
        ("depl*", ["deploy", "friday", "staging"]),
        ("*day", ["deploy", "friday"]),
        ("frid?y", ["friday", "deploy"]),
        ("auth-serv*", ["deploy"]),
        ("ＡＵＴＨ*", ["deploy"]),
        ("v3.1*", ["rates"]),
        ("64*", ["staging"]),
        ("サンド*", ["cjk"]),
        ("title:title", ["deploy"]),
        ('"on tuesday"', ["deploy"]),
        ('"tuesday on"', []),
        ('"ask auth-service first"', ["deploy"]),
        ('"auth-service"', ["deploy"]),
        ('"no-deploy-on-friday"', ["friday"]),
        ('body:"never on"', ["deploy"]),
        ('code:"make deploy"', []),
        ('nofield:"on tuesday"', ["deploy"]),
        ("nofield:depl*", ["deploy", "friday", "staging"]),
        ("nofield:frid?y NOT record:depl*", []),
        ('"on nofield:"', []),
        ("*", sorted(path.removesuffix(".md") for path in MEMORIES)),
        ("*:*", sorted(path.removesuffix(".md") for path in MEMORIES)),
    ],
)
def test_the_query_language(ask: Callable[[str], list[str]], query: str, found: list[str]) -> None:
    assert sorted(ask(query)) == sorted(found)
    if query in ("friday", "deploy friday"):
        assert ask(query)[0] == found[0]


@pytest.mark.parametrize(
    "query",
    ["适者生存", "止损", "用户身份", "SSH铁律服务器", "铁律", "ssh", "サンドボックス", "ｻﾝﾄﾞﾎﾞｯｸｽ",
     "鍵の更新", "更新", '"鍵の更新"', "배포", "서버"],
)  # fmt: skip
def test_texts_of_every_script(ask: Callable[[str], list[str]], query: str) -> None:
    assert ask(query) == ["cjk"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("TODO: fix", "friday"),
        *((query, "rates") for query in (
            "GB/s", "user's", "isn't", "gpu issues", "v3.11.7", '"gpu issues', "(gpu", "gpu)",
            "gpu:", ":gpu", "+gpu", "-gpu", "gpu^", "gpu~", "[gpu", "gpu\\", "nofield:gpu",
            "record:gpu", "gpu\0", "gpu\n", "'gpu issues'", "ＧＰＵ",
        )),
    ],
)  # fmt: skip
def test_words_with_marks_are_found(
    ask: Callable[[str], list[str]], query: str, found: str
) -> None:
    assert ask(query)[:1] == [found]


@pytest.mark.parametrize(
    "query",
    ["", " ", "'", '"', "''", '""', "(", ")", "()", "[", "]", "[to]", "[a to b]", "{a to}", "?",
     "~", "^", "^2", "AND", "OR", "NOT", "a AND", "AND a", "a OR OR b", "NOT NOT a", "&&", "||",
     "はい", "👍", ":", "type:", "name:", "type:[a to z]", "\\", "\x1b[31m", "\ud800", "(" * 500,
     '"' * 501, "/", "..", "a ANDMAYBE b", "a REQUIRE b", "NOT *", "*:", "name:*", '"a"~x', "$(x)",
     "%s", "x" * 5000, "\ud800*", "[\ud800 to", "name:\ud800?"],
)  # fmt: skip
def test_garbage_is_a_query_too(ask: Callable[[str], list[str]], query: str) -> None:
    assert isinstance(ask(query), list)


QUERIES = st.lists(
    st.sampled_from(["a", "deploy", "日本", " ", '"', "'", "(", ")", "[", "]", "{", "}", "*", "?",
                     "~", "^", ":", "-", "+", "!", "\\", "/", "to", "TO", " AND ", " OR ", " NOT ",
                     "type:", "name:", "ANDNOT", "2", "\0", "\ud800", "はい", "👍"]),
    max_size=14,
).map("".join)  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(QUERIES | st.text(max_size=30))
def test_no_query_breaks_it(ask: Callable[[str], list[str]], query: str) -> None:
    try:
        ask(query)
    except QueryFault as fault:
        assert str(fault)  # noqa: PT017


def test_what_matched_is_told(index: SearchIndex) -> None:
    (hit,) = index.search("auth-service AND tuesday", 10, weigh, rarity)
    assert hit.terms == {"authservice", "auth", "service", "tuesday"}
    (hit,) = index.search('"鍵の更新"', 10, weigh, rarity)
    assert {"鍵", "更新"} <= hit.terms


def test_weights_and_rarity_make_the_score(index: SearchIndex) -> None:
    hits = {hit.record["name"]: hit.score for hit in index.rank(["staging"], 10, weigh, rarity)}
    assert hits == {"staging": pytest.approx((3.0 + 1.0) * (7 / 2))}  # name, body; in one of six


def test_records_by_path_and_key(index: SearchIndex) -> None:
    assert [record["name"] for record in index.by("key", "用户身份")] == ["用户身份"]
    assert [record["name"] for record in index.by("path", "sub/dir/path.md")] == ["path"]
    assert index.by("path", "nowhere") == []
    assert len(list(index.records())) == len(MEMORIES)


def test_a_write_that_fails_writes_nothing(tmp_path: Path) -> None:
    made = SearchIndex(tmp_path, tuple(REFERENCE_LENGTHS), words)
    made.create()
    one = document(parse("a.md", b"alpha")[0], "0", "")
    made.write((), [one])

    def broken() -> object:
        yield document(parse("b.md", b"beta")[0], "0", "")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        made.write(["a.md"], broken())  # type: ignore[arg-type]
    again = SearchIndex(tmp_path, tuple(REFERENCE_LENGTHS), words)
    assert [record["path"] for record in again.records()] == ["a.md"]
    again.write([], [one])
    assert len(list(SearchIndex(tmp_path, again.fields, words).records())) == 1


@pytest.mark.parametrize("content", [None, b"", b"garbage" * 100])
def test_an_index_that_is_none(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "_MAIN_1.toc").write_bytes(content)
    with pytest.raises(BrokenIndex):
        list(SearchIndex(tmp_path, tuple(REFERENCE_LENGTHS), words).records())


def test_an_index_of_other_fields(tmp_path: Path) -> None:
    SearchIndex(tmp_path, ("name",), words).create()
    with pytest.raises(BrokenIndex, match="other fields"):
        list(SearchIndex(tmp_path, tuple(REFERENCE_LENGTHS), words).records())


def test_many_small_writes_make_few_segments(tmp_path: Path) -> None:
    made = SearchIndex(tmp_path, tuple(REFERENCE_LENGTHS), words)
    made.create()
    most = 0
    for number in range(90):
        batch = [document(parse(f"{number}-{n}.md", b"alpha")[0], "0", "") for n in range(3)]
        made.write((), batch)
        made = SearchIndex(tmp_path, made.fields, words)
        with made.segments() as parts:
            most = max(most, len(parts))
            memories = sum(segment.memories for segment in parts)
    assert most <= 10
    assert memories == 270


@pytest.mark.parametrize("query", ["a" * 100_000, "日" * 100_000, "deploy " * 20_000])
def test_what_is_too_long_for_a_query_is_told_at_once(index: SearchIndex, query: str) -> None:
    with pytest.raises(QueryFault, match="too many"):
        index.search(query, 10, weigh, rarity)
