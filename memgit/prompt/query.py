"""A prompt to segments of weighted terms: what a person asks, without what they pasted.

The one rule: text is dropped only by its form (fences, traces, logs, tags, links), never by a list
of words. Keeping a prompt's rarest words instead is known to lose: the rare ones are the noise.
"""

from memgit.prompt.terms import words

SENTENCES = 40
"""Sentences of a prompt that are looked at; of a longer prompt, the first and the last ones."""

TOGETHER = 24
"""Terms up to which neighbouring sentences are also taken together: what is asked in two or three
short sentences is one question, and a memory that answers it meets words of each."""

LONGEST = 20_000
"""Characters of a prompt that are looked at: a paste of megabytes ends with the question, or
starts with it."""

PARTS = 1.0
"""What all parts of one identifier weigh together, its whole form weighing 1."""

SERIAL = 0.4
"""What a bare number of one to three digits weighs: a count or a serial number, seldom a subject.
(A port or a year has four.)"""

PAIR = 0.8
"""What two neighbouring words weigh as one name, so that `rate limit` meets `rate-limit`, too."""

PAIRED = 60
"""Terms of a prompt up to which pairs are tried: a longer one says enough, and costs enough."""

Terms = dict[str, float]
"""Term → weight within its segment. A negative one stands for a guess: the term counts only where
a memory has it.
"""

_ENDS = "".join("\n" if chr(i) in "\n\r;!?" else chr(i) for i in range(128))


def segments(prompt: str) -> list[Terms]:
    """The terms of a prompt, pasted blocks left out: of each sentence or line, and of neighbouring
    short ones together. A prompt that is short as a whole is one segment.
    """
    if len(prompt) > LONGEST:
        prompt = prompt[: LONGEST // 2] + "\n" + prompt[-LONGEST // 2 :]
    found = []
    for line in typed_lines(prompt):
        for sentence in _sentences(line):
            if terms := _terms(sentence):
                found.append(terms)
    if len(found) > SENTENCES:
        found = found[: SENTENCES // 2] + found[-SENTENCES // 2 :]
    if sum(map(_size, found)) > PAIRED:
        found = [{t: weight for t, weight in one.items() if weight > 0.0} for one in found]
    joined = _joined(found)
    return joined if len(joined) == 1 else joined + [one for one in found if one not in joined]


def _joined(sentences: list[Terms]) -> list[Terms]:
    """Neighbouring sentences together, each group as large as `TOGETHER` allows."""
    groups: list[Terms] = []
    for sentence in sentences:
        if groups and _size(groups[-1]) + _size(sentence) <= TOGETHER:
            group = groups[-1]
            for term, weight in sentence.items():
                group[term] = max(weight, group.get(term, weight))
        else:
            groups.append(dict(sentence))
    return groups


def _size(terms: Terms) -> int:
    """How many terms were really typed."""
    return sum(weight > 0.0 for weight in terms.values())


def typed_lines(prompt: str) -> list[str]:
    """The lines that a person typed: no fences, no tagged blocks, no traces, no logs."""
    lines: list[str] = []
    closing = ""
    in_trace = False
    for raw in prompt.split("\n"):
        line = raw.strip()
        was_in_trace, in_trace = in_trace, not closing and _is_frame(raw, line)
        if in_trace:
            if not was_in_trace and lines and _is_fault(lines[-1]):
                lines.pop()
            continue
        if was_in_trace and line and (raw[:1] in " \t" or _is_fault(line)):
            in_trace = raw[:1] in " \t"
            continue
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


def _is_frame(raw: str, line: str) -> bool:
    """Whether a line is one of a stack trace, but not the one that names the fault."""
    first = line.split(" ", 1)[0]
    if first in ("at", "File") and (raw[:1] in " \t" or line.endswith(")")):
        return True
    return line.startswith(("Traceback (", "Caused by:", "goroutine "))


def _is_fault(line: str) -> bool:
    """Whether a line names the fault of a trace: `ValueError: ...`, `app.hold.SeatTaken: ...`."""
    name = line.partition(":")[0]
    return name != line and name.replace(".", "").replace("_", "").isalnum() and name.isascii()


def _pasted(raw: str, line: str) -> bool:
    """Whether a line has the form of a log, a prompt of a shell, or an image."""
    first = line.split(" ", 1)[0]
    if first == "$" or (first in ("%", ">", "|", "+", "-->") and raw[:1] in " \t"):
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
    before, end = "", 0
    for start, stop, terms in words(sentence):
        whole = terms[0]
        if before and start == end + 1 and whole.isalnum() and whole.isascii():
            found.setdefault(before + whole, -PAIR)
        before, end = (whole, stop) if whole.isalnum() and whole.isascii() else ("", 0)
        share = PARTS / (len(terms) - 1) if len(terms) > 1 else 0.0
        for place, term in enumerate(terms):
            weight = min(1.0, share) if place else 1.0
            if len(term) <= 3 and term.isdigit():
                weight *= SERIAL
            if found.get(term, -1.0) < weight:
                found[term] = weight
    return found
