"""The probe of URLs: it can see life, and never death.

The one rule: its answer has a type without a refutation. A page that is gone, a host that is down
and a net that is not there look alike from here.
"""

from memgit.domain.claims.arguments import KINDS, Arguments
from memgit.domain.claims.scene import Scene
from memgit.domain.claims.verdict import Life, Sign


def url_answers(arguments: Arguments, scene: Scene) -> Sign:
    """Whether a URL answers with what was asked for."""
    answer = scene.world.get(str(arguments["url"]), KINDS["url"], scene.world.allow_private)
    if 200 <= answer.status < 300:
        return Sign(Life.SUPPORTED, answer.why)
    return Sign(Life.UNKNOWN, answer.why)
