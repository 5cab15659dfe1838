"""Charts: what their axes say."""

import re

import pytest

from memgit.ports.charts import columns, line


def marks(svg: str) -> list[str]:
    """The words of the upright axis, from below."""
    axis = svg.split('class="axis y', 1)[1].split('class="axis x', 1)[0]
    return re.findall(r"<text[^>]*>([^<]*)</text>", axis)


@pytest.mark.parametrize("most", [0, 1, 2, 4, 7, 41, 999, 1_013, 123_456])
def test_counts_are_marked_in_whole_numbers_up_to_the_highest(most: int) -> None:
    for drawn in (columns("a", ["x"], {"n": [most]}), line("b", ["x"], {"n": [most]})):
        told = [int(mark.replace(",", "")) for mark in marks(drawn)]
        assert told[0] == 0
        assert told[-1] >= most
        assert 2 <= len(told) <= 6


def test_shares_keep_their_parts() -> None:
    assert any("." in mark for mark in marks(line("c", ["x", "y"], {"n": [0.25, 0.5]}, most=1)))
