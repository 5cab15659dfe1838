"""Text to terms: the one tokenizer of index and prompt. Standard library only, and no `re`.

A word yields its whole form first and then its parts: `parseHTTPHeader` gives `parsehttpheader`,
`parse`, `http`, `header`; `ops/rotate-keys.py` gives the path, its last name and their parts.
Kanji and Hangul yield pairs of neighbours, katakana the run and its triples, hiragana nothing:
on Japanese questions such pairs find as much as a dictionary does, and particles are only noise.
"""

TYPE_CHECKING = False  # mypy takes it for true; importing `typing` would double our start-up
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_TERM = 64
"""Characters of a term. Longer ones (encoded blobs) are cut alike on both sides."""

Word = tuple[int, int, tuple[str, ...]]
"""(start, end, terms): character offsets into the text; the whole form first, then its parts."""

_JOINERS = "-_./\\"
_KEPT = _JOINERS + "'"
_SIGNS = frozenset("«·»‐‒–—―‘’“”„•←↑→↓↔⇒≤≥─│└├✅✓✔✗❌、。「」『』【】")
"""Usual signs that no word has and that normalising leaves as they are."""

_SEPARATED = "".join(chr(i) if chr(i).isalnum() or chr(i) in _KEPT else " " for i in range(128))
_PIECES = "".join(chr(i) if chr(i).isalnum() else " " for i in range(128))


def words(text: str) -> "Iterator[Word]":
    """Yield every word of `text` with its place and its terms, in reading order."""
    spaced = text.translate(_SEPARATED)
    at = 0
    for chunk in spaced.split():
        start = spaced.find(chunk, at)
        at = start + len(chunk)
        if not chunk.isascii():
            yield from _scripts(chunk, start)
        elif terms := _identifier(chunk):
            yield start, at, terms


def tokens(text: str) -> list[str]:
    """All terms of `text` in reading order, repeats included: what the index counts."""
    return [term for _, _, terms in words(text) for term in terms]


def _identifier(chunk: str) -> tuple[str, ...]:
    """Terms of one run of letters, digits and joiners without white space."""
    if chunk.isalnum():
        if chunk.islower() or chunk.isdigit():
            return (chunk[:LONGEST_TERM],)
        if chunk.isupper() or chunk[1:].islower():
            return (chunk[:LONGEST_TERM].lower(),)
    elif "'" in chunk:
        return _without_apostrophe(chunk)
    names = [name for name in chunk.replace("\\", "/").split("/") if name.strip(_JOINERS)]
    if not names:
        return ()
    found: dict[str, None] = {}
    terms = [_name(name) for name in names]
    if len(names) > 1:
        found["/".join(whole for whole, _ in terms)[-LONGEST_TERM:]] = None
    for whole, _ in reversed(terms):
        found[whole] = None
    for _, parts in terms:
        found.update(dict.fromkeys(parts))
    return tuple(found)


def _without_apostrophe(chunk: str) -> tuple[str, ...]:
    """`user's` is `user`, `don't` is `don`; a quotation mark at an end falls away."""
    found: dict[str, None] = {}
    pieces = [piece for piece in chunk.split("'") if piece.strip(_JOINERS)]
    for piece in pieces[:1] + [piece for piece in pieces[1:] if len(piece) > 2]:
        found.update(dict.fromkeys(_identifier(piece)))
    return tuple(found)


def _name(name: str) -> tuple[str, list[str]]:
    """The whole form of one name without slashes, and its parts.

    Separators fall away in the whole form, so `auth-service`, `auth_service` and `AuthService`
    meet. Numbers keep a dot between them, so that `3.11` is not `311`; a version also yields its
    first two numbers.
    """
    pieces = (name.translate(_PIECES) if name.isascii() else _spaced(name)).split()
    if not pieces:
        return name[:LONGEST_TERM], []
    if len(pieces) > 1 and all(piece.isdigit() for piece in pieces):
        return ".".join(pieces)[:LONGEST_TERM], [".".join(pieces[:2])] if len(pieces) > 2 else []
    parts: list[str] = []
    for piece in pieces:
        split = _camel(piece)
        parts.extend(part.lower() for part in split if len(part) > 1)
        if len(pieces) > 1 and len(split) > 1:
            parts.append(piece.lower())
    whole = "".join(pieces).lower()[:LONGEST_TERM]
    return whole, [part[:LONGEST_TERM] for part in parts if part != whole]


def _spaced(name: str) -> str:
    return "".join(c if c.isalnum() else " " for c in name)


def _camel(piece: str) -> list[str]:
    """Split where a capital follows a small letter or digit, or starts a word after capitals."""
    if piece.islower() or piece.isupper() or piece.isdigit():
        return [piece]
    cuts = [0]
    for i in range(1, len(piece)):
        before, here = piece[i - 1], piece[i]
        if here.isupper() and (
            not before.isupper() or (i + 1 < len(piece) and piece[i + 1].islower())
        ):
            cuts.append(i)
    cuts.append(len(piece))
    return [piece[a:b] for a, b in zip(cuts, cuts[1:])]  # noqa: B905, RUF007 - no itertools here


def _scripts(chunk: str, start: int) -> "Iterator[Word]":
    """Words of a run that is not plain ASCII, cut where the script changes."""
    text = chunk if _is_normal(chunk) else _normalised(chunk)
    # Where normalising changes the length, a place inside the run is unknown: the run is the place.
    exact = len(text) == len(chunk)
    i = 0
    while i < len(text):
        script = _script(text[i])
        j = i + 1
        while j < len(text) and _script(text[j]) == script:
            j += 1
        for a, b, terms in _RUNS[script](text[i:j]):
            if exact:
                yield start + i + a, start + i + b, terms
            else:
                yield start, start + len(chunk), terms
        i = j


def _is_normal(chunk: str) -> bool:
    """Whether normalising would leave a run as it is, as far as one look at each character tells.
    That look spares most prompts `unicodedata`, which takes longer to load than any module of ours.
    """
    for character in chunk:
        if character >= "\x80" and character not in _SIGNS:
            code = ord(character)
            if not (
                0x4E00 <= code <= 0x9FFF or 0x3041 <= code <= 0x3096 or 0x30A1 <= code <= 0x30FC
            ):
                return False
    return True


def _normalised(chunk: str) -> str:
    from unicodedata import normalize

    return normalize("NFKC", chunk)


def _script(character: str) -> str:
    """One of the keys of `_RUNS`; block bounds are those of the Unicode charts."""
    code = ord(character)
    if code < 0x80:
        return "letters" if character.isalnum() or character in _JOINERS else ""
    if character in _SIGNS:
        return ""
    if code < 0x1100:
        return "letters" if character.isalnum() or _is_mark(character) else ""
    if 0x3041 <= code <= 0x309F:
        return "hiragana"
    if (0x30A1 <= code <= 0x30FF and code != 0x30FB) or 0x31F0 <= code <= 0x31FF:
        return "katakana"
    if 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF:
        return "kanji"
    if code in (0x3005, 0x3006, 0x3007):
        return "kanji"
    if 0xAC00 <= code <= 0xD7A3 or 0x1100 <= code <= 0x11FF or 0x3130 <= code <= 0x318F:
        return "hangul"
    return "letters" if character.isalnum() or _is_mark(character) else ""


def _is_mark(character: str) -> bool:
    from unicodedata import category

    return category(character)[0] == "M"


def _letters(run: str) -> "Iterator[Word]":
    if terms := _identifier(run if run.isascii() else _unaccented(run)):
        yield 0, len(run), terms


def _unaccented(run: str) -> str:
    """Without accents: people type `configuracao` for `configuração`."""
    from unicodedata import category, normalize

    return "".join(c for c in normalize("NFKD", run.casefold()) if category(c) != "Mn")


def _pairs(run: str) -> "Iterator[Word]":
    if len(run) == 1:
        yield 0, 1, (run,)
    for i in range(len(run) - 1):
        yield i, i + 2, (run[i : i + 2],)


def _katakana(run: str) -> "Iterator[Word]":
    """The run without a final long-vowel mark (both spellings are usual), then its triples."""
    whole = run[:-1] if len(run) > 3 and run.endswith("ー") else run
    triples = [whole[i : i + 3] for i in range(len(whole) - 2)] if len(whole) > 3 else []
    yield 0, len(run), (whole[:LONGEST_TERM], *dict.fromkeys(triples))


def _nothing(run: str) -> "Iterator[Word]":
    return iter(())


_RUNS = {
    "": _nothing,
    "hiragana": _nothing,
    "katakana": _katakana,
    "kanji": _pairs,
    "hangul": _pairs,
    "letters": _letters,
}
