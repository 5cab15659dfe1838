"""Checks of what else is called memgit: the registry's name `memgit` is another project's.

The one rule: a program that is not known to be ours is looked at, never run.
"""

import os
import re
import shlex
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from memgit.domain.examination.finding import Finding, Scene, bad, ok, warn

OURS = "memgit-tools"
THEIRS = "memgit"


def on_path(scene: Scene) -> Iterator[Finding]:
    """Each `memgit` on PATH, in the order in which a shell would find them."""
    found = list(executables(os.environ.get("PATH", "")))
    if not found:
        yield ok("no memgit on PATH; the hooks do not need one, they name their program in full")
    for place, program in enumerate(found):
        name, version = maker(program)
        if name == OURS:
            yield ok(f"{program} is ours, version {version}")
            continue
        what = f"{name} {version}, another project" if name else "not known to be ours"
        says = f"{program} is {what}"
        if place == 0:
            yield bad(f"{says}, and a shell would run it", _away(program, name))
        else:
            yield warn(f"{says}; ours comes first on PATH", _away(program, name))


def same_environment(scene: Scene) -> Iterator[Finding]:
    """Both distributions own a package `memgit`: in one environment each overwrites the other."""
    try:
        version = metadata.version(THEIRS)
    except metadata.PackageNotFoundError:
        return
    yield bad(
        f"the distribution {THEIRS} {version} of another project shares this environment, and "
        f"both hold a package named memgit",
        f"pip uninstall {THEIRS} && pip install --force-reinstall {OURS}",
    )


def executables(search: str) -> Iterator[Path]:
    """The executable files named `memgit` in the folders of a PATH, each once."""
    seen = set()
    for folder in filter(None, search.split(os.pathsep)):
        program = Path(folder) / "memgit"
        if program.is_file() and os.access(program, os.X_OK):
            real = program.resolve()
            if real not in seen:
                seen.add(real)
                yield program


def maker(program: Path) -> tuple[str, str]:
    """(distribution, version) that a script belongs to, from what lies beside it; ("", "")."""
    for prefix in _prefixes(program):
        for packages in (*prefix.glob("lib*/python3*/site-packages"),
                         *prefix.glob("lib*/python3*/dist-packages")):  # fmt: skip
            for name in (OURS, THEIRS):
                for info in packages.glob(f"{name.replace('-', '_')}-*.dist-info"):
                    if _lists(info, program):
                        return name, info.name.removesuffix(".dist-info").rpartition("-")[2]
    return "", ""


def _lists(info: Path, program: Path) -> bool:
    """Whether a distribution's own list of files, if it has one, has a script of this name."""
    try:
        listed = (info / "RECORD").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return f"/{program.name}," in listed


def _prefixes(program: Path) -> Iterator[Path]:
    """Where the packages of a script may be: above its interpreter, above its own folder."""
    if interpreter := _interpreter(program):
        yield interpreter.parent.parent
    yield program.resolve().parent.parent
    yield program.parent.parent


def _interpreter(program: Path) -> Path | None:
    """The absolute path of the interpreter that a script names in its first lines."""
    try:
        with program.open("rb") as file:
            start = file.read(1024)
    except OSError:
        return None
    lines = start.decode("utf-8", "replace").splitlines()[:2]
    if not lines or not lines[0].startswith("#!"):
        return None
    # Where the path has spaces or is long, installers write: #!/bin/sh, then '''exec' "PATH" ...
    if len(lines) > 1 and (long := re.match(r"'''exec' (\"[^\"]+\"|\S+)", lines[1])):
        return Path(long[1].strip('"'))
    words = lines[0][2:].strip().split()
    return Path(words[0]) if words and Path(words[0]).name.startswith("python") else None


def _away(program: Path, name: str) -> str:
    if name:
        return f"pip uninstall {name} in that environment, or put the folder of ours first on PATH"
    return f"see what it is with `head -2 {shlex.quote(str(program))}`, and put ours first on PATH"
