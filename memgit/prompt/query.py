"""A prompt to segments of weighted terms: what a person asks, without what they pasted.

The one rule: text is dropped only by its form (fences, traces, logs, tags, links), never by a list
of words. Keeping a prompt's rarest words instead is known to lose: the rare ones are the noise.
"""

from memgit.prompt.terms import words

SEGMENTS = 40
"""Segments of a prompt that are looked at; of a longer prompt, the first and the last ones."""

LONGEST = 20_000
"""Characters of a prompt that are looked at: a paste of megabytes ends with the question, or
starts with it."""

PARTS = 1.0
"""What all parts of one identifier weigh together, its whole form weighing 1."""

Terms = dict[str, float]
"""Term → weight within its segment."""

_ENDS = "".join("\n" if chr(i) in "\n\r;!?" else chr(i) for i in range(128))


def segments(prompt: str) -> list[Terms]:
    """The terms of each sentence or line of a prompt, pasted blocks left out."""
    if len(prompt) > LONGEST:
        prompt = prompt[: LONGEST // 2] + "\n" + prompt[-LONGEST // 2 :]
    found = []
    for line in _typed_lines(prompt):
        for sentence in _sentences(line):
            if terms := _terms(sentence):
                found.append(terms)
    if len(found) > SEGMENTS:
        found = found[: SEGMENTS // 2] + found[-SEGMENTS // 2 :]
    return found


def _typed_lines(prompt: str) -> list[str]:
    """The lines that a person typed: no fences, no tagged blocks, no traces, no logs."""
    lines = []
    closing = ""
    for raw in prompt.split("\n"):
        line = raw.strip()
        if closing:
            if closing in line:
                line = line.partition(closing)[2].strip()
                closing = ""
            else:
                continue
        if line.startswith(("```", "~~~")):
            closing = line[:3]
            continue
        if line.startswith("<") and (tag := _tag(line)):
            end = f"</{tag}>"
            if end in line:
                line = line.partition(end)[2].strip()
            else:
                closing = end
                continue
        if line and not _pasted(raw, line):
            lines.append(line)
    if lines and lines[0].startswith("/") and "/" not in lines[0][1:].split(" ", 1)[0]:
        lines[0] = lines[0].partition(" ")[2]
    return lines


def _tag(line: str) -> str:
    """The name of the tag that a line opens, as hosts wrap what they add to a prompt."""
    name = line[1:].partition(">")[0].partition(" ")[0]
    return name if name and name.replace("-", "").replace("_", "").isalnum() else ""


def _pasted(raw: str, line: str) -> bool:
    """Whether a line has the form of a stack trace, a log, a prompt of a shell, or an image."""
    first = line.split(" ", 1)[0]
    if first in ("at", "File", "Caused", "Traceback", "$", "%", ">", "|", "+", "-->") and (
        raw[:1] in " \t" or first in ("Traceback", "Caused", "$") or line.endswith(")")
    ):
        return True
    if line.startswith(("[Image", "[Pasted text", "[Request interrupted", "data:image/")):
        return True
    digits = sum(map(str.isdigit, line[:24]))
    if digits >= 8 and (":" in line[:32]) and len(line) > 24:
        return True  # starts with a time stamp
    letters = sum(map(str.isalpha, line))
    return len(line) > 40 and letters * 2 < len(line)


def _sentences(line: str) -> list[str]:
    spread = line.translate(_ENDS).replace(". ", "\n")
    for mark in "。？！；":
        spread = spread.replace(mark, "\n")
    return spread.split("\n")


def _terms(sentence: str) -> Terms:
    if "://" in sentence:
        sentence = " ".join(word for word in sentence.split(" ") if "://" not in word)
    found: Terms = {}
    for _, _, terms in words(sentence):
        share = PARTS / (len(terms) - 1) if len(terms) > 1 else 0.0
        for place, term in enumerate(terms):
            weight = min(1.0, share) if place else 1.0
            if found.get(term, 0.0) < weight:
                found[term] = weight
    return found
