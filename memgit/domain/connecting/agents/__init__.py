"""The agents that can be connected to a store, as one visible table.

The one rule: adding one is writing its file and adding its line.
"""

from memgit.domain.connecting.agent import Agent
from memgit.domain.connecting.agents.claude_code import CLAUDE_CODE
from memgit.domain.connecting.agents.codex import CODEX
from memgit.domain.connecting.agents.gemini import GEMINI

AGENTS: dict[str, Agent] = {agent.name: agent for agent in (CLAUDE_CODE, CODEX, GEMINI)}
"""By the name that one types."""
