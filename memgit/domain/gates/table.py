"""The table of gates: what may be wrong with the memories of a commit, and what is said about it.

The one rule: a gate only looks. Adding one is writing the function in `gates/` and adding its entry
to `GATES`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memgit.domain.gates import (
    always_on,
    characters,
    claims,
    drafts,
    duplicates,
    files,
    index_file,
    names,
    origin,
)
from memgit.domain.gates import secrets as values
from memgit.domain.gates.scope import Scope, changed
from memgit.domain.memory import LONGEST_NAME, TYPES
from memgit.domain.store import Store
from memgit.errors import Fault


@dataclass(frozen=True)
class Gate:
    """One kind of fault: `find` yields each with its place, `fix` says how to mend it.

    `why` is where the gate comes from, `example` a text that it finds. What does not block is worth
    telling, and no reason to stop a commit; what `mends` is mended by `memgit check --fix`.
    """

    code: str
    find: Callable[[Scope], Iterable[Fault]]
    explanation: str
    why: str
    example: str
    fix: str
    blocks: bool = True
    mends: bool = False


@dataclass(frozen=True)
class Finding:
    """A fault and the gate that found it."""

    fault: Fault
    gate: Gate


def judge(
    scope: Scope, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[Finding]:
    """What all gates find, by path and line; `progress` is told (gates done, gates in all)."""
    found = []
    for done, gate in enumerate(GATES):
        progress(done, len(GATES))
        found += [Finding(fault, gate) for fault in dict.fromkeys(gate.find(scope))]
    return sorted(found, key=lambda finding: finding.fault)


def inspect(store: Store, contents: Mapping[str, bytes | None]) -> list[Finding]:
    """What all gates find in files that are about to be written; None stands for one that goes.

    They are judged on top of the commit that is checked out, and it costs what they are.
    """
    return judge(changed(store, contents))


def gate_of(code: str) -> Gate | None:
    """The gate with this code."""
    return next((gate for gate in GATES if gate.code == code), None)


GATES = (
    Gate(
        "encoding", files.encoding,
        "A memory is text in UTF-8.",
        "A text read in the wrong encoding turns into other letters for good, and is committed so "
        "(claude-remember#91).",
        "caf\\xe9",
        "save the file as UTF-8, or run `memgit check --fix`; that leaves NUL bytes to you, which "
        "stand in no text: take them out (`tr -d '\\000' <OLD >NEW`), or convert it from UTF-16",
        mends=True,
    ),
    Gate(
        "frontmatter", files.frontmatter,
        "What stands between the --- lines is YAML, and gives the memory's name.",
        "Where the keys cannot be read, the type, the labels and the sources count for nothing.",
        "---\\ndescription: Fix: use tabs\\n---",
        "mend the YAML; a value with a colon or a hash in it needs quotes "
        "(`memgit check --fix` sets them)",
        mends=True,
    ),
    Gate(
        "conflict", files.conflict,
        "A memory says one thing, not the two sides of a merge.",
        "Committed with the markers in it, both sides are recalled as if both held.",
        "<<<<<<< ours, ======= and >>>>>>> theirs, each at the start of a line",
        "keep the side that holds, or both as one text, and take the three marked lines out; an "
        "example belongs into a code fence",
    ),
    Gate(
        "name", names.name,
        "No two memories have one name, also where case and Unicode form do not count.",
        "A link must lead to one memory, and some file systems make one file of two such paths.",
        "name: Deploy, beside a memory with name: deploy",
        f"give one of them another name (`memgit rename`, at most {LONGEST_NAME} bytes), or merge "
        "them",
    ),
    Gate(
        "size", files.size,
        "What is beyond the first million characters of a memory is not searched.",
        "One subject a memory is what recall can find; a dump is found by nothing.",
        "a log of 2 MB pasted into a memory",
        "split it into memories of one subject each",
        blocks=False,
    ),
    Gate(
        "type", files.kind,
        "The type decides what decays and what may be replaced.",
        "Rules of the user's (user, feedback) outlive events (project); an unknown type decays.",
        "type: report",
        f"use {', '.join(TYPES)}; until then it counts as project",
        blocks=False,
    ),
    Gate(
        "link", names.link,
        "superseded_by and derived_from name memories of this store.",
        "A replacement that is not there hides what stood before, and labels cannot travel along "
        "a link that leads nowhere (mnemosyne#676).",
        "superseded_by: a-name-with-a-typo",
        "name a memory that is there (`memgit list`), or take the key out",
    ),
    Gate(
        "dangling", names.dangling,
        "A [[link]] in a text leads to a memory, or to one that is still to be written.",
        "Claude Code writes links to names to come, so this is no fault; a typo looks the same.",
        "see [[deploy-guid]]",
        "write that memory, or mend the name",
        blocks=False,
    ),
    Gate(
        "cycle", names.cycle,
        "No memory is superseded by itself, or derived from itself, by way of others.",
        "Of memories that replace each other in a circle, none is current: which holds is told to "
        "nobody.",
        "a: superseded_by b, and b: superseded_by a",
        "take the key out of the memory that holds today",
    ),
    Gate(
        "successors", names.successors,
        "A memory has one successor.",
        "Two people each replaced it by another memory, and the merge of both keeps both words.",
        "superseded_by, with two names below it",
        "leave the one that holds in the file, and take the other out",
        blocks=False,
    ),
    Gate(
        "index", index_file.index,
        "MEMORY.md lists every memory once, and nothing else.",
        "It is what an agent sees first; a memory that it does not list is found by luck.",
        "- [Deploy](deploy.md), without a deploy.md",
        "leave the file to memgit, which writes it from the memories",
        blocks=False,
    ),
    Gate(
        "budget", always_on.budget,
        "What an agent is given in every session is given whole.",
        "What is past the limit is cut off in silence, the oldest lines as well as the newest "
        "(claude-code#56786).",
        "a MEMORY.md of 229 lines, of which 200 are loaded",
        "run `memgit budget --fit`: what there is no room for stays, recalled and searched",
        blocks=False,
    ),
    Gate(
        "duplicate", duplicates.duplicate,
        "No memory says what another one says already.",
        "Of 10,134 entries in one store, 97.8 % were repetitions (mem0#4573); new entries were "
        "written although the rule was loaded (anthropics/claude-code#57786).",
        "name: Deploy Guide, beside a memory with name: deploy-guide",
        "keep one; `memgit supersede OLD --by NEW` tells which",
        blocks=False,
    ),
    Gate(
        "secret", values.secret,
        "No key, token or password stands in a store.",
        "Stores kept keys word for word and handed them to every later session "
        "(neurostack#113, agentmemory#911). What git has once committed, every clone has.",
        "DEPLOY_TOKEN=ghp_ and 36 letters; `${DEPLOY_TOKEN}` is fine",
        "write where the secret is kept instead of the secret, and replace the one that stood here",
    ),
    Gate(
        "hidden", characters.characters,
        "A text holds no characters that nobody sees.",
        "Zero-width and bidirectional characters make a text read otherwise than it is; tags and "
        "variation selectors carry orders that only a model reads (CVE-2021-42574).",
        "an\\u200bapple, or a U+202E in a path",
        "run `memgit check --fix`, which takes them out",
        mends=True,
    ),
    Gate(
        "instruction", origin.instruction,
        "What was not written by the user does not speak to the agent.",
        "A harmless document plants a rule, which fires in 56 to 82 % of later sessions "
        "(hermes-agent#98587, arXiv 2609.13889).",
        "origin: tool, and a body with `<system>` outside of code",
        "put quoted words into quotes or code; take orders out, or let the user say them",
    ),
    Gate(
        "provenance", origin.provenance,
        "A rule of the user's that a pass wrote down quotes the user.",
        "'Tool available' became a prohibition of the user's (anthropics/claude-code#77419), "
        "pasted text a decision (#95436).",
        "type: feedback and origin: agent, without sources",
        "add `sources` with session, turn and quote, or make it type project",
    ),
    Gate(
        "brittle", claims.brittle,
        "A number, version, date or port stands beside its source or its parts.",
        "A conclusion kept without its source cannot be corrected by any model: 0 of 96 reclaimed, "
        "96 of 96 with the source (arXiv 2606.25449).",
        "The import takes 41 minutes.",
        "name the file, the link or the words it comes from, or add `sources`",
        blocks=False,
    ),
    Gate(
        "differs", claims.differs,
        "A total, count, ratio, date, span or latest version is what its own parts give.",
        "A sum that does not follow from what stands beside it is wrong, or its parts are; "
        "recomputing it when it is written catches either (arXiv 2606.25449).",
        "total 48 minutes (fetch 12, restore 26, replay 6, checks 3)",
        "correct the value or the parts; a value that counts more than it shows says so",
        blocks=False,
    ),
    Gate(
        "kept", claims.kept,
        "A memory that keeps a part of its source says how much: `kept: 3 of 11`.",
        "From a note that was cut without a word, readers compute a wrong total in silence: "
        "62 of 96 (arXiv 2606.25449).",
        "... (12 more lines)",
        "add `kept: k of n` to the metadata, and `sources` that lead to the rest",
        blocks=False,
    ),
    Gate(
        "draft", drafts.draft,
        "A skill's draft is inert, and is what sessions were seen to do.",
        "Skills that agents wrote for themselves made strong agents worse: by 8 to 11 points of "
        "100 on 87 tasks, while those that people chose gained 16 (arXiv 2602.12670).",
        "a drafts/skills/NAME/SKILL.md without disable-model-invocation: true",
        "mend what is named, or remove the draft; `memgit skills check` tells it all",
    ),
    Gate(
        "draft-here", drafts.draft_here,
        "What a draft says can be looked up on this machine.",
        "Of two people who share a store, each has other sessions and other programs.",
        "a draft that was counted in sessions which only another person has",
        "it can be promoted where its sessions and programs are",
        blocks=False,
    ),
)  # fmt: skip
"""Every gate, in the order in which it looks."""
