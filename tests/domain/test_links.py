"""`[[name]]` in a body is a link, in code it is not."""

import pytest

from memgit.domain.links import Link, links


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
