"""What one file of another tool becomes: the body as it is, every word around it kept."""

from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest

from memgit.domain.importing.arrival import Arrival, arrive, read_indexes, summary
from memgit.domain.importing.sources import Found, Unfit
from memgit.domain.memory import parse, render

MOMENT = datetime(2026, 9, 21, 14, 13, 20, 500_000, UTC)
STAMP = "2026-09-21T14:13:20.500Z"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def found(folder: Path, place: str, data: bytes) -> Found:
    file = folder / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return Found(place, file, folder, "tree", PurePosixPath(place))


def take(folder: Path, data: bytes | str, place: str = "sub/note.md") -> Arrival:
    data = data.encode() if isinstance(data, str) else data
    return arrive(found(folder, place, data), data, MOMENT)


FLAT = """---
name: Reviewer shape lives in a skill
description: "Long: with a colon, 300 characters"
type: feedback
originSessionId: 61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb
---
body
"""
NESTED = """---
name: feedback_uitest_timeouts
description: テストの待ち時間
metadata:\x20
  node_type: memory
  type: report
  originSessionId: 61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb
  modified: 2026-07-30T07:40:18.191Z
---
body
"""


def test_the_flat_shape_with_a_free_name(folder: Path) -> None:
    memory = take(folder, FLAT).memory
    assert memory.name == "reviewer-shape-lives-in-a-skill"
    assert memory.words("aliases") == ("Reviewer shape lives in a skill",)
    assert memory.description == "Long: with a colon, 300 characters"
    assert memory.type == "feedback"
    assert memory.body == "body\n"
    assert memory.metadata["originSessionId"] == "61d4e9b8-0f7a-4c25-a9b3-58c1e07d26fb"
    assert memory.metadata["modified"] == STAMP
    assert memory.metadata["origin"] == "import"


def test_the_nested_shape_with_a_trailing_space_and_an_invented_type(folder: Path) -> None:
    memory = take(folder, NESTED).memory
    assert memory.name == "feedback_uitest_timeouts"
    assert memory.type == "report"
    assert memory.description == "テストの待ち時間"
    assert memory.recorded == "2026-07-30T07:40:18.191Z"
    assert "aliases" not in memory.metadata


def test_no_frontmatter(folder: Path) -> None:
    memory = take(folder, "# The port\n\nIt is 5433.\n", "Port of staging.md").memory
    assert (memory.name, memory.description) == ("port-of-staging", "")
    assert memory.body == "# The port\n\nIt is 5433.\n"
    assert memory.type == "project"


@pytest.mark.parametrize("data", [FLAT, NESTED, "plain\n", "---\na: [\n---\nbody", "---\n\nrule\n"])
def test_what_is_written_reads_the_same_again(folder: Path, data: str) -> None:
    memory = take(folder, data).memory
    again, faults = parse(memory.path, render(memory))
    assert faults == []
    assert (again.name, again.body, again.type) == (memory.name, memory.body, memory.type)
    assert render(again) == render(memory)


@pytest.mark.parametrize(
    ("data", "body", "encoding"),
    [
        (b"\xef\xbb\xbf# A\r\n\r\nb\r\n", "# A\r\n\r\nb\r\n", None),
        ("café\n".encode("latin-1"), "café\n", "cp1252"),
        ("デプロイは木曜だけ\r\n".encode("utf-16"), "デプロイは木曜だけ\r\n", "utf-16"),
        ("デプロイは木曜だけ\n".encode("cp932"), "デプロイは木曜だけ\n", "cp932"),
    ],
)
def test_encodings(folder: Path, data: bytes, body: str, encoding: str | None) -> None:
    arrival = take(folder, data)
    assert render(arrival.memory).endswith(b"---\n" + body.encode())
    assert arrival.source.get("encoding") == encoding
    assert arrival.remarks == ((f"read as {encoding}, written as UTF-8",) if encoding else ())


def test_where_it_is_from(folder: Path) -> None:
    plain = take(folder, "x\n").source
    assert plain == {
        "path": str(folder / "sub/note.md"),
        "sha256": "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac",
    }
    assert "body_sha256" in take(folder, FLAT).source


def test_a_source_that_has_sources_and_an_origin_keeps_them(folder: Path) -> None:
    text = "---\nname: a\nmetadata:\n  origin: user\n  sources:\n    - session: s1\n---\nx\n"
    sources = take(folder, text).memory.metadata["sources"]
    assert sources[0] == {"session": "s1"}
    assert sources[1]["origin"] == "user"


def test_broken_frontmatter_is_kept_as_text(folder: Path) -> None:
    text = "---\nname: [a\n---\nbody\n"
    arrival = take(folder, text)
    assert arrival.memory.body == text
    assert arrival.memory.name == "note"
    (remark,) = arrival.remarks
    assert "frontmatter" in remark
    assert "kept as text" in remark


@pytest.mark.parametrize(
    "head",
    ["name: a # was: zanzibar", "# zanzibar\nname: a", "name: a\nport: 5433\nmetadata: zanzibar",
     "name: a\nkey: zanzibar\nmetadata:\n  key: other"],
)  # fmt: skip
def test_no_word_of_a_frontmatter_is_lost(folder: Path, head: str) -> None:
    memory = take(folder, f"---\n{head}\n---\nbody\n").memory
    assert b"zanzibar" in render(memory)
    assert memory.body == "body\n"


def test_numbers_and_unknown_keys_stay_as_written(folder: Path) -> None:
    text = "---\nname: a\nversion: 1.10\nat: 12:30\nid: 007\nteam:\n  - {name: Mio}\n---\nx\n"
    memory = take(folder, text).memory
    assert str(memory.metadata["version"]) == "1.10"
    assert str(memory.metadata["at"]) == "12:30"
    assert str(memory.metadata["id"]) == "007"
    assert memory.metadata["team"] == [{"name": "Mio"}]
    assert "frontmatter" not in memory.metadata


def test_a_file_that_says_nothing_is_unfit(folder: Path) -> None:
    with pytest.raises(Unfit, match="empty"):
        take(folder, "---\nname: a\n---\n \n")
    assert take(folder, "---\nname: a\ndescription: said\n---\n").memory.body == ""


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("# How we release\n\nText.", "How we release"),
        ("# Note\n\nThe port is 5433. And more.", "The port is 5433."),
        ("Say e.g. this. Then.\n\n# Later\n", "Say e.g. this."),
        ("港は二つ。次も。", "港は二つ。"),
        ("<!-- c\n# d -->\n```\n# no\n```\n| a |\n|---|\n- **First** item\n- second", "First item"),
        ("Title\n=====\n", "Title"),
        ("---\n***\n", ""),
        ("word " * 60, "word " * 31 + "word…"),
        ("長" * 200, "長" * 160 + "…"),
    ],
)
def test_summary(body: str, line: str) -> None:
    assert summary(body, "note") == line


def index(folder: Path, lines: str, **files: str) -> dict[str, Arrival]:
    arrivals = [take(folder, text, f"{name}.md") for name, text in files.items()]
    data = lines.encode()
    told = read_indexes([(found(folder, "MEMORY.md", data), data, MOMENT)], arrivals)
    return {one.memory.name: one for one in told}


def test_an_index_line_describes_a_file_that_does_not_describe_itself(folder: Path) -> None:
    told = index(
        folder,
        "# Memory\n## Build\n- [Deploy](deploy.md) — how we release\n- [[port]]: 5433\n",
        deploy="# Deploy\n\ntext\n",
        port="---\nname: port\ndescription: the port\n---\nIt is 5433.\n",
    )
    assert told["deploy"].memory.description == "how we release"
    assert told["deploy"].memory.words("topics") == ("Build",)
    assert told["port"].memory.description == "the port"
    assert "aliases" not in told["port"].memory.metadata
    assert len(told) == 2


def test_new_words_of_an_index_line_become_aliases(folder: Path) -> None:
    told = index(
        folder,
        "- [Release day](deploy.md) — Thursdays only\n",
        deploy="---\nname: deploy\ndescription: how we ship\n---\ntext\n",
    )
    assert told["deploy"].memory.words("aliases") == ("Release day", "Thursdays only")


def test_an_index_line_without_a_file_becomes_a_memory(folder: Path) -> None:
    text = "## Ops\n- [Gone](gone.md) — staging is on port 5433\r\n- Always use tabs\n"
    told = index(folder, text, other="x")
    gone = told["gone"].memory
    assert gone.body == "- [Gone](gone.md) — staging is on port 5433\r\n"
    assert gone.description == "Gone — staging is on port 5433"
    assert gone.words("topics") == ("Ops",)
    assert told["gone"].source["line"] == 2
    assert told["gone"].shown == "MEMORY.md:2"
    assert told["always-use-tabs"].memory.body == "- Always use tabs\n"


def test_a_sentence_that_only_mentions_a_file_becomes_a_memory_if_it_says_more(
    folder: Path,
) -> None:
    told = index(
        folder,
        "- Never on Fridays, see [Deploy](deploy.md)\n",
        deploy="---\nname: deploy\ndescription: how we ship\n---\ntext\n",
    )
    assert told["never-on-fridays-see-deploy"].memory.body.startswith("- Never on Fridays")


def test_frontmatter_of_an_index_is_not_lost(folder: Path) -> None:
    told = index(folder, "---\nowner: zanzibar\n---\n- a line\n")
    assert any("zanzibar" in one.memory.body for one in told.values())
    assert told["a-line"].source["line"] == 4


@pytest.mark.parametrize(
    ("place", "text", "kind"),
    [
        ("project_overview.md", "A shop.\n", "reference"),
        ("core/Code_Style.md", "Tabs.\n", "reference"),
        ("suggested_commands.md", "make\n", "reference"),
        ("docs/ARCHITECTURE.md", "Layers.\n", "reference"),
        ("用語集.md", "桟橋\n", "reference"),
        ("a.md", "\n# System architecture\n\nLayers.\n", "reference"),
        ("reference/ports.md", "6432\n", "reference"),
        ("note.md", "# A change of the architecture\n\nLayers.\n", "project"),
        ("architecture-decision.md", "Layers.\n", "project"),
        ("note.md", "Layers.\n\n# Architecture\n", "project"),
        ("note.md", "#architecture\n", "project"),
        ("preferences/note.md", "Layers.\n", "project"),
        ("architecture.md", "---\ntype: project\n---\nLayers.\n", "project"),
        ("architecture.md", "---\nmetadata:\n  type: user\n---\nLayers.\n", "user"),
        ("reference/a.md", "---\ntype: report\n---\nLayers.\n", "report"),
    ],
)
def test_a_file_that_says_so_becomes_a_reference(
    folder: Path, place: str, text: str, kind: str
) -> None:
    memory = take(folder, text, place).memory
    assert memory.type == kind
    assert parse(memory.path, render(memory))[0].type == kind
