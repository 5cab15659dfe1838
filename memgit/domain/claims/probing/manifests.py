"""What a project's manifests and lock files say: the versions it pins, the tasks it defines.

The one rule: a lock file speaks before a manifest, and a range of versions pins nothing.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memgit.domain.claims.root import Root

DEPTH = 2
"""Folders below the top in which a manifest still speaks for the project."""

_EXACT = re.compile(r"[=^~]*\s*v?(\d+(?:\.\d+)*(?:[-+.][\w.+-]+)?)")


def pinned(package: str, root: Root, path: str = "") -> list[str]:
    """The versions at which a project pins a package; those of lock files where it has them.

    Where a `path` is named, that file alone speaks.
    """
    name = path.rpartition("/")[2]
    if path:
        reader = _LOCKS.get(name) or _MANIFESTS.get(name)
        return reader(package, root.read(path) or "") if reader else []
    for names in (_LOCKS, _MANIFESTS):
        found: list[str] = []
        for name, read in names.items():
            for path in root.by_name.get(name, ()):
                if path.count("/") <= DEPTH:
                    found += read(package, root.read(path) or "")
        if found:
            return list(dict.fromkeys(found))
    return []


def tasks(program: str, root: Root) -> set[str] | None:
    """The tasks that a project defines for a program; None where it defines none."""
    files = _TASKS.get(program, {})
    found = {task for name, text in task_files(program, root) for task in files[name](text)}
    return found or None


def task_files(program: str, root: Root) -> Iterator[tuple[str, str]]:
    """(file name, text) of what defines a project's tasks for a program."""
    for name in _TASKS.get(program, ()):
        for path in root.by_name.get(name, ()):
            if path.count("/") <= DEPTH:
                yield name, root.read(path) or ""


def _toml(text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _json(text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _same(one: object, other: str) -> bool:
    """Whether two names are the same package to Python's index: `-`, `_`, `.` and case aside."""
    return re.sub(r"[-_.]+", "-", str(one)).lower() == re.sub(r"[-_.]+", "-", other).lower()


def _package_table(package: str, text: str) -> list[str]:
    rows = _toml(text).get("package", [])
    return [str(row["version"]) for row in rows if isinstance(row, dict)
            and _same(row.get("name"), package) and "version" in row]  # fmt: skip


def _npm_lock(package: str, text: str) -> list[str]:
    data = _json(text)
    found = data.get("packages", {}).get(f"node_modules/{package}") if data else None
    found = found or (data.get("dependencies") or {}).get(package)
    return [str(found["version"])] if isinstance(found, dict) and "version" in found else []


def _yarn_lock(package: str, text: str) -> list[str]:
    entry = rf'^"?{re.escape(package)}@[^\n]*:\n\s+"?version"?:?\s+"?([^\s"]+)'
    return re.findall(entry, text, re.MULTILINE)


def _pnpm_lock(package: str, text: str) -> list[str]:
    return re.findall(rf"^  ['/]?{re.escape(package)}@(\d[^:'(\s]*)", text, re.MULTILINE)


def _requirements(package: str, text: str) -> list[str]:
    rows = re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?\s*==\s*([\w.+-]+)", text, re.MULTILINE)
    return [version for name, version in rows if _same(name, package)]


def _pyproject(package: str, text: str) -> list[str]:
    project = _toml(text).get("project", {})
    rows = list(project.get("dependencies", []))
    for extra in (project.get("optional-dependencies") or {}).values():
        rows += extra
    return [version for row in rows for version in _requirements(package, str(row))]


def _package_json(package: str, text: str) -> list[str]:
    data = _json(text)
    found = []
    for key in ("dependencies", "devDependencies", "peerDependencies"):
        value = (data.get(key) or {}).get(package)
        if value and re.fullmatch(r"v?\d[\w.+-]*", str(value)):
            found.append(str(value).removeprefix("v"))
    return found


def _cargo(package: str, text: str) -> list[str]:
    value = (_toml(text).get("dependencies") or {}).get(package)
    value = value.get("version") if isinstance(value, dict) else value
    exact = re.fullmatch(r"=\s*(\d[\w.+-]*)", str(value or ""))
    return [exact[1]] if exact else []


def _go(package: str, text: str) -> list[str]:
    return [version.removeprefix("v") for version in
            re.findall(rf"^\s*(?:require\s+)?{re.escape(package)}\s+(v[\w.+-]+)", text,
                       re.MULTILINE)]  # fmt: skip


def _version_file(name: str) -> Callable[[str, str], list[str]]:
    """A file that holds one version: that of `name`."""

    def read(package: str, text: str) -> list[str]:
        found = _EXACT.fullmatch(text.strip())
        return [found[1]] if found and package.lower() in (name, f"{name}.js") else []

    return read


_LOCKS: Mapping[str, Callable[[str, str], list[str]]] = {
    "uv.lock": _package_table,
    "poetry.lock": _package_table,
    "pdm.lock": _package_table,
    "Cargo.lock": _package_table,
    "package-lock.json": _npm_lock,
    "yarn.lock": _yarn_lock,
    "pnpm-lock.yaml": _pnpm_lock,
    "requirements.lock": _requirements,
    "requirements.txt": _requirements,
    ".python-version": _version_file("python"),
    ".nvmrc": _version_file("node"),
    ".node-version": _version_file("node"),
}

_MANIFESTS: Mapping[str, Callable[[str, str], list[str]]] = {
    "requirements-dev.txt": _requirements,
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "go.mod": _go,
}


def _scripts(text: str) -> set[str]:
    scripts = _json(text).get("scripts")
    return set(scripts) if isinstance(scripts, dict) else set()


def _targets(text: str) -> set[str]:
    return {word for row in re.findall(r"^([\w./ -]+?)\s*:(?!=)", text, re.MULTILINE)
            for word in row.split()}  # fmt: skip


def _recipes(text: str) -> set[str]:
    """The recipes of a justfile, by their names and their other names."""
    named = re.findall(r"^@?([A-Za-z_][\w-]*)(?:[ \t]+[^:\n]*)?:(?!=)", text, re.MULTILINE)
    other = re.findall(r"^alias[ \t]+([A-Za-z_][\w-]*)[ \t]*:=", text, re.MULTILINE)
    return {*named, *other}


def _tables(text: str) -> set[str]:
    """The tasks of mise in a file of its settings, by their names and their other names."""
    given = _toml(text).get("tasks")
    found: set[str] = set()
    for name, task in given.items() if isinstance(given, dict) else ():
        others = task.get("alias", ()) if isinstance(task, dict) else ()
        found.update((name, *([others] if isinstance(others, str) else others)))
    return found


_NODE = {"package.json": _scripts}
_TASKS: Mapping[str, Mapping[str, Callable[[str], set[str]]]] = {
    "make": {"Makefile": _targets, "makefile": _targets, "GNUmakefile": _targets},
    "just": {"justfile": _recipes, "Justfile": _recipes, ".justfile": _recipes},
    "mise": {"mise.toml": _tables, ".mise.toml": _tables, "config.toml": _tables},
    "npm": _NODE,
    "pnpm": _NODE,
    "yarn": _NODE,
    "bun": _NODE,
}
"""Program → the files that define its tasks."""
