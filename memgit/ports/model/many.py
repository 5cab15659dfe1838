"""Many questions, one after the other or as a batch, whichever a model offers.

The one rule: the answers come in the order of the questions, and each is checked like any other.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from memgit.ports.model.door import Answer, Model, NoAnswer, Request

PATIENCE = 3600.0
"""Seconds after which what a batch has not answered is given up."""


@runtime_checkable
class Batching(Protocol):
    """A model that takes many questions at once, at a lower price and in its own time."""

    def ask_many(
        self, requests: Sequence[Request], patience: float
    ) -> Sequence[Answer | NoAnswer] | None:
        """The answers, in order; None where questions are asked one by one here."""


def answers(model: Model, requests: Sequence[Request]) -> Iterator[Answer]:
    """The answer to each question. Raises NoAnswer at the first that has none."""
    if isinstance(model, Batching) and len(requests) > 1:
        told = model.ask_many(requests, PATIENCE)
        if told is not None:
            for one in told:
                if isinstance(one, NoAnswer):
                    raise one
                yield one
            return
    for request in requests:
        yield model.ask(request)
