"""`[[name]]` in a body is a link, in code it is not."""

import pytest

from memgit.domain.links import Link, links, references
from memgit.domain.memory import parse


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("see [[deploy]].", [Link("deploy", 1)]),
        ("a\n[[日本語]] and [[ops/deploy|how to deploy]]",
         [Link("日本語", 2), Link("ops/deploy", 2)]),
        ("[[deploy#steps]] [[deploy.md]]", [Link("deploy", 1), Link("deploy", 1)]),
        ("if [[ -f x ]]; then", []),
        ("`[[deploy]]` and ``a ` [[deploy]]``", []),
        ("```bash\n[[deploy]]\n```\n[[after]]", [Link("after", 4)]),
        ("~~~\n```\n[[in]]\n~~~\n[[out]]", [Link("out", 5)]),
        ("````\n```\n[[in]]\n````\n[[out]]", [Link("out", 5)]),
        ("[[]] [[ ]] [[#here]]", []),
    ],
)  # fmt: skip
def test_links(body: str, found: list[Link]) -> None:
    assert list(links(body)) == found


@pytest.mark.parametrize(
    ("yaml", "names"),
    [
        ("superseded_by: new", ["new"]),
        ("superseded_by: [[new]]", ["new"]),
        ("superseded_by: '[[a b]]'", ["a b"]),
        ("superseded_by:\n  - new\n  - [[two]]\n  - 3", ["new", "two", "3"]),
        ("superseded_by:", []),
        ("other: new", []),
    ],
)
def test_references(yaml: str, names: list[str]) -> None:
    memory, _ = parse("a.md", f"---\nname: a\n{yaml}\n---\n".encode())
    assert references(memory, "superseded_by") == names
