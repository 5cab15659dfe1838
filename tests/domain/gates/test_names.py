"""What memories are called, and how they call each other."""

from memgit.domain.always_on import listing
from memgit.domain.memory import parse
from memgit.domain.settings import Cap
from tests.domain.gates.looking import Files, look_at, rows


def memory(name: str, *keys: str, body: str = "") -> str:
    return "\n".join(["---", f"name: {name}", *keys, "---", body or f"about {name}\n"])


def test_links_to_memories_to_come_are_notes() -> None:
    files: Files = {
        "a.md": memory("a", body="see [[B]]\n\n[[to-come]] and `[[ -f x ]]` and [[:alpha:]]\n"),
        "b.md": memory("b", "aliases: [Bee]", body="[[bee]] [[a|the first]] [[a#part]]\n"),
    }
    (finding,) = look_at(files, code="dangling")
    assert rows([finding]) == [("a.md", 6, "dangling", "[[to-come]] leads to no memory yet")]
    assert not finding.gate.blocks


def test_cycles() -> None:
    files: Files = {
        "a.md": memory("a", "superseded_by: b"),
        "b.md": memory("b", "superseded_by: c"),
        "d.md": memory("d", "derived_from: [x, d]"),
        "e.md": memory("e", "superseded_by: a"),
    }
    others: Files = {"c.md": memory("c", "superseded_by: '[[a]]'"), "x.md": memory("x")}
    assert rows(look_at(files, others, code="cycle")) == [
        ("a.md", 3, "cycle", "superseded_by leads back to it: a → b → c → a"),
        ("b.md", 3, "cycle", "superseded_by leads back to it: b → c → a → b"),
        ("d.md", 3, "cycle", "derived_from leads back to it: d → d"),
    ]


def test_no_cycle() -> None:
    files: Files = {
        "a.md": memory("a", "superseded_by: b", "derived_from: [c]"),
        "b.md": memory("b", "derived_from: [a, c]"),
        "c.md": memory("c", "superseded_by: gone"),
    }
    assert look_at(files, code="cycle") == []


INDEX = "# Memory\n\n- [A](a.md) — first\n- [[b]]\n"


def test_an_index_that_lists_every_memory_once() -> None:
    files: Files = {"a.md": memory("a"), "ops/b.md": memory("b")}
    assert look_at(files, beside={"MEMORY.md": INDEX}, code="index") == []


def test_an_index_without_entries_is_not_generated_yet() -> None:
    for text in ("", "# Memory\n", "<!-- written by memgit -->\n\nNothing yet.\n"):
        assert look_at({"a.md": memory("a")}, beside={"MEMORY.md": text}, code="index") == []
    assert look_at({"a.md": memory("a")}, code="index") == []


def test_what_memgit_left_out_of_the_index_is_no_fault() -> None:
    files: Files = {"a.md": memory("a"), "b.md": memory("b", "retired: 2026-01-01")}
    row = listing.Row.of(parse("a.md", memory("a").encode())[0], "")
    assert row
    for more in (True, False):
        index = listing.text([row], more, Cap(9, 900)).decode()
        assert look_at(files, beside={"MEMORY.md": index}, code="index") == []
        by_hand = f"{index}- x\n- [A](a.md) — said otherwise\n"
        (finding,) = look_at(files, beside={"MEMORY.md": by_hand}, code="index")
        assert "a.md is listed on line 2 already" in finding.fault.message


def test_an_index_that_is_not_a_bijection() -> None:
    files: Files = {"a.md": memory("a"), "c.md": memory("c")}
    found = look_at(files, beside={"MEMORY.md": f"{INDEX}- [A again](a.md)\n"}, code="index")
    assert rows(found) == [
        ("MEMORY.md", 4, "index", "b is no memory of this store"),
        ("MEMORY.md", 5, "index", "a.md is listed on line 3 already"),
        ("MEMORY.md", 5, "index", "c.md is not listed"),
    ]


LONG = " ".join(f"word{number} of the text" for number in range(40))


def test_two_successors() -> None:
    files: Files = {
        "a.md": memory("a", "superseded_by: [b, c]"), "b.md": memory("b", "superseded_by: [c]"),
        "c.md": memory("c"),
    }  # fmt: skip
    (finding,) = look_at(files, code="successors")
    text = "superseded by b and by c; until one is taken out, the first counts"
    assert rows([finding]) == [("a.md", 3, "successors", text)]
    assert not finding.gate.blocks


def test_the_same_text_twice() -> None:
    files: Files = {"a.md": memory("a", body="x\n"), "b.md": memory("b", body="\nx\n\n")}
    (finding,) = look_at(files, code="duplicate")
    assert rows([finding]) == [("b.md", 4, "duplicate", "the same text as a (a.md)")]
    assert not finding.gate.blocks


def test_nearly_the_same_text() -> None:
    files: Files = {"new.md": memory("new", body=f"{LONG}, and one more.\n")}
    changed = memory("b", body=LONG.replace("of", "in"))
    others: Files = {"a.md": memory("a", body=LONG), "b.md": changed}
    assert rows(look_at(files, others, code="duplicate")) == [
        ("new.md", 4, "duplicate", "98% the same text as a (a.md)")
    ]


def test_one_line_tells_of_all_that_say_the_same() -> None:
    files: Files = {f"{name}.md": memory(name, body=LONG) for name in "abcd"}
    files["b.md"] = memory("b", body=f"{LONG}, and one more.\n")
    assert rows(look_at(files, code="duplicate")) == [
        ("b.md", 4, "duplicate", "98% the same text as a (a.md)"),
        ("c.md", 4, "duplicate", "the same text as a (a.md) and 1 more"),
        ("d.md", 4, "duplicate", "the same text as a (a.md) and 2 more"),
    ]


def test_nearly_the_same_japanese_text() -> None:
    text = "署名鍵は四半期ごと、第一火曜に更新する。新旧の鍵は七十二時間だけ両方有効。" * 2
    files: Files = {"a.md": memory("a", body=text), "b.md": memory("b", body=f"{text}以上")}
    ((path, *_),) = rows(look_at(files, code="duplicate"))
    assert path == "b.md"


def test_texts_that_are_not_the_same() -> None:
    half = " ".join(LONG.split()[:100]) + " and then something else entirely" * 3
    files: Files = {
        "a.md": memory("a", body=LONG), "b.md": memory("b", body=half),
        "c.md": memory("c", body="Use tabs.\n"), "d.md": memory("d", body="Use tabs here.\n"),
        "e.md": memory("e", body="\n"), "f.md": memory("f", body="\n"),
    }  # fmt: skip
    assert look_at(files, code="duplicate") == []


def test_what_replaced_another_may_repeat_it() -> None:
    old = memory("a", "superseded_by: b", body=LONG)
    assert look_at({"a.md": old, "b.md": memory("b", body=LONG)}, code="duplicate") == []


def test_names_in_another_spelling() -> None:
    files: Files = {
        "a.md": memory("Deploy Guide"), "b.md": memory("deploy-guide"),
        "c.md": memory("署名鍵 の 更新"), "d.md": memory("署名鍵-の-更新"),
        "e.md": memory("deploy"),
    }  # fmt: skip
    assert rows(look_at(files, code="duplicate")) == [
        ("b.md", 2, "duplicate", "deploy-guide is Deploy Guide (a.md) in another spelling"),
        ("d.md", 2, "duplicate", "署名鍵-の-更新 is 署名鍵 の 更新 (c.md) in another spelling"),
    ]
