"""The recipe of `memgit/prompt/background.segment`: how common a term is in the world outside.

In a store of twenty memories every word is rare. The background lends it three hundred imagined
memories of ordinary text, so that "file", "please" and "確認" are common from the first day.

The one rule: the file is made by this recipe alone, from sources whose licences allow it, and
making it twice from the same sources gives the same bytes. Only counts are kept, never text; the
sources are named in `memgit/prompt/background.txt`. Run it with
`python -m memgit.evaluation.background`; it needs the `wordfreq` package (3.1.1) and `npm`.
"""

import ast
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp
from pathlib import Path

from memgit.domain.indexing.calibration import typed_by_anyone
from memgit.domain.indexing.table_writer import write_counts
from memgit.prompt.background import FILE, SCALE
from memgit.prompt.query import segments
from memgit.prompt.table import number_of
from memgit.prompt.terms import tokens

LENGTH = 200
"""Words of an imagined memory, where a source gives how often a word occurs."""

DOCUMENT = 400
"""Words of an imagined memory that is cut from documentation: twice the usual, because what stands
in a reader's way are the words of the trade (commit, branch, test), which documentation spreads
thin over its headings."""

LANGUAGES: Mapping[str, int] = {
    "en": 4000, "ja": 5000, "zh": 8000, "ko": 3000, "pt": 1500, "es": 1500, "fr": 1500, "de": 1500,
}  # fmt: skip
"""Words taken of each language's frequency list, the most frequent first."""

PACKAGES = """
@angular/cli@21.2.28 @changesets/cli@2.31.1 @google/gemini-cli@0.61.0 @langchain/core@1.4.0
@modelcontextprotocol/sdk@1.32.2 @nestjs/core@12.5.1 @octokit/rest@22.0.1 @openai/codex@0.171.0
ai@6.0.326 all-contributors-cli@6.26.1 amqplib@2.3.1 antd@6.6.8 auto@11.3.6 ava@7.0.0
aws-cdk@2.1148.1 bower@1.8.14 bullmq@6.7.0 commander@14.0.3 commitizen@4.3.2
conventional-changelog@7.2.1 cspell@9.8.0 cypress@15.3.0 danger@14.0.7 dependency-cruiser@17.4.3
drizzle-orm@0.45.4 egg@4.0.10 electron@41.7.1 element-plus@2.14.8 ember-cli@7.3.0 eslint@10.15.0
express@5.3.0 fastify@5.12.8 firebase-tools@15.34.2 gatsby@5.16.1 gh-pages@6.3.0 ghost@5.130.6
gitmoji-cli@9.7.0 graphql@16.15.0 gulp@5.0.1 hardhat@3.18.0 helmet@8.3.0 hexo@8.1.2 ioredis@6.0.0
isomorphic-git@1.44.19 jsonwebtoken@9.0.3 kafkajs@2.2.4 knex@3.3.0 koa@3.3.0 kuromoji@0.1.2
langchain@1.5.14 lint-staged@16.4.0 madge@8.0.0 markdownlint-cli2@0.22.1 markdownlint@0.40.0
mermaid@11.17.2 mocha@12.0.3 mongoose@9.12.1 mysql2@3.24.6 netlify-cli@26.2.0 next@16.4.6
node-gyp@12.4.0 nodemailer@10.6.1 nodemon@3.1.14 np@11.2.2 npm@11.21.2 nx@24.0.6 octokit@5.0.5
openai@6.49.0 passport@0.7.0 pino@10.4.0 playwright@1.65.1 pnpm@12.21.0 prettier@3.10.1
prisma@7.10.1 probot@14.3.2 puppeteer@24.43.1 redis@6.3.1 release-it@20.2.1 rollup@4.68.8
semantic-release@24.2.9 sequelize@6.37.8 sharp@0.35.5 simple-git@4.0.2 socket.io@4.8.4
standard-version@9.5.0 stylelint@17.16.0 textlint@15.8.0 ts-node@10.9.2 turbo@2.11.11
typescript@7.0.2 undici@7.30.2 vant@4.10.2 verdaccio@6.8.0 vercel@64.0.2 vite@8.4.0 vitest@4.1.12
webpack@5.113.0 winston@3.19.0 wrangler@4.86.0 yargs@18.2.0 zod@4.6.7
"""
"""npm packages whose markdown is read, each under a permissive licence: tools of many kinds, so
that no trade's words stand out. Their text is read from the archives and thrown away."""

FROM_EACH = 10
"""Texts taken of one package, evenly spread, so that a long manual does not outweigh the others."""

LEAST = 0.01
"""Share of imagined memories below which a term is not worth its bytes."""


def shares() -> dict[str, float]:
    """Term → share of ordinary texts that hold it, the largest that any source gives."""
    found: dict[str, float] = {}
    for language, count in LANGUAGES.items():
        _raise(found, _frequencies(language, count))
    for texts in (list(_docstrings()), list(_manuals())):
        counts = Counter(term for text in texts for term in set(tokens(text)))
        _raise(found, {term: count / len(texts) for term, count in counts.items()})
    for prompts in typed_by_anyone().values():
        _raise(found, _requests(prompts))
    return {term: share for term, share in sorted(found.items()) if share >= LEAST}


def _raise(found: dict[str, float], given: Mapping[str, float]) -> None:
    for term, share in given.items():
        found[term] = max(found.get(term, 0.0), share)


def _frequencies(language: str, count: int) -> dict[str, float]:
    """Term → share of texts, from how often each word of the list occurs in running text."""
    from wordfreq import get_frequency_dict  # type: ignore[import-not-found, unused-ignore]

    found: dict[str, float] = {}
    for word, frequency in list(get_frequency_dict(language).items())[:count]:
        for term in dict.fromkeys(tokens(word)):
            found[term] = found.get(term, 0.0) + frequency
    return {term: 1.0 - exp(-LENGTH * frequency) for term, frequency in found.items()}


def _requests(prompts: Sequence[str]) -> dict[str, float]:
    """Term → share of one language's prompts, doubled: a prompt is a fraction of a memory.

    A term that a single prompt holds tells nothing about the others and is left out.
    """
    counts = Counter(
        term for prompt in prompts for term in {t for part in segments(prompt) for t in part}
    )
    return {
        term: min(1.0, 2.0 * (count - 1) / len(prompts))
        for term, count in counts.items()
        if count > 1
    }


def _docstrings() -> Iterator[str]:
    """Docstrings of the standard library."""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        yield from _cut(
            text
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and (text := ast.get_docstring(node))
        )


def _manuals() -> Iterator[str]:
    """The markdown of the npm packages, fetched with npm itself into a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES.split():
            done = subprocess.run(
                ["npm", "pack", "--silent", "--pack-destination", folder, package],
                check=True, capture_output=True, text=True, encoding="utf-8",
            )  # fmt: skip
            texts = list(_cut(_markdown(Path(folder) / done.stdout.split()[-1])))
            step = max(1.0, len(texts) / FROM_EACH)
            yield from (texts[int(n * step)] for n in range(min(FROM_EACH, len(texts))))


def _markdown(archive: Path) -> list[str]:
    """The markdown files of a package, by path, without those of packages that it carries."""
    with tarfile.open(archive) as packed:
        found = {
            member.name: file.read().decode("utf-8", "replace")
            for member in packed
            if member.name.lower().endswith((".md", ".mdx")) and "/node_modules/" not in member.name
            if (file := packed.extractfile(member))
        }
    return [found[name] for name in sorted(found)]


def _cut(texts: Iterable[str]) -> Iterator[str]:
    """The texts, joined and cut to imagined memories; what is left over counts from its half."""
    held: list[str] = []
    for text in texts:
        held += text.split()
        while len(held) >= DOCUMENT:
            yield " ".join(held[:DOCUMENT])
            held = held[DOCUMENT:]
    if len(held) * 2 >= DOCUMENT:
        yield " ".join(held)


def main() -> None:
    """Write the file and say what is in it."""
    counts = {term: round(share * SCALE) for term, share in shares().items()}
    write_counts(Path(FILE), {number_of(term): count for term, count in counts.items()})
    print(f"{len(counts)} terms, {Path(FILE).stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
