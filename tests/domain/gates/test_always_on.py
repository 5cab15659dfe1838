"""What is given in every session, held against what an agent loads of it."""

from tests.domain.gates.looking import look_at, rows


def test_lines_that_are_not_loaded() -> None:
    found = look_at({}, beside={"MEMORY.md": "- a\n" * 229}, code="budget")
    assert rows(found) == [
        ("MEMORY.md", 201, "budget",
         "229 lines and 915 units of text; 29 lines from here on are not loaded")
    ]  # fmt: skip
    (finding,) = look_at({}, beside={"MEMORY.md": "x" * 25_001}, code="budget")
    assert finding.fault.message.endswith("only the start of this line is loaded")
    assert not finding.gate.blocks


def test_lines_that_the_profile_has_no_room_for() -> None:
    text = "<!-- x -->\n" + "".join(f"- 行{n}\n" for n in range(16))
    assert rows(look_at({}, beside={"PROFILE.md": text}, code="budget")) == [
        ("PROFILE.md", 16, "budget", "2 of 16 lines, from here on, are not given")
    ]
    for settings, count in (("lines = 16", 0), ("lines = 1", 1), ("lines = 'x'", 1)):
        beside = {"PROFILE.md": text, "memgit.toml": f"[profile]\n{settings}\n"}
        assert len(look_at({}, beside=dict(beside), code="budget")) == count


def test_what_fits() -> None:
    fits = {"MEMORY.md": "- a\n" * 200, "PROFILE.md": "- b\n" * 14}
    assert look_at({}, beside=dict(fits), code="budget") == []
    assert look_at({}, beside={"MEMORY.md": "", "PROFILE.md": ""}, code="budget") == []
