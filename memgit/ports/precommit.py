"""The text of pre-commit's configuration file, read with PyYAML.

The one rule: a person's comments and order survive. What comes out is the text that went in and one
entry more, and reading it again proves that; where that cannot be done, nothing comes out.
"""

from textwrap import indent
from typing import Any

FILE = ".pre-commit-config.yaml"
HOOK = "memgit-check"
"""The id of the gate's hook."""

DEEPEST = 9
"""Columns before which an item of `repos` starts."""


def has_hook(text: str) -> bool:
    """Whether this configuration names the gate's hook, from wherever it takes it."""
    return HOOK in _ids(_load(text))


def others(text: str) -> list[str]:
    """The ids of the hooks that are not the gate's."""
    return [name for name in _ids(_load(text)) if name != HOOK]


def with_entry(text: str, entry: str) -> str | None:
    """The configuration with `entry`, one item of `repos` written from column 0, after the others.

    None where that cannot be done without risk to what is there.
    """
    import yaml

    before = _load(text)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        added = _added(text, _repos(node), entry)
        (item,) = yaml.safe_load(entry)
    except (yaml.YAMLError, LookupError):
        return None
    wanted = {**before, "repos": [*(before.get("repos") or []), item]}
    return added if _load(added) == wanted else None


def without_entry(text: str, entry: str) -> str | None:
    """The configuration as it was before `with_entry` put `entry` into it.

    None where it does not stand there as it was put: somebody has changed it since, or wrote it.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    for depth in range(DEEPEST):
        lines = indent(entry.rstrip("\n"), " " * depth).splitlines()
        head, found, tail = text.rpartition(newline + newline.join(lines))
        for before in (head + tail, f"{head} []{tail}") if found else ():
            if with_entry(before, entry) == text:
                return before
    return None


def _load(text: str) -> dict[str, Any]:
    """The configuration; empty where it is not YAML or not a mapping."""
    import yaml

    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _ids(config: dict[str, Any]) -> list[str]:
    repositories = config.get("repos")
    found = []
    for repository in repositories if isinstance(repositories, list) else ():
        hooks = repository.get("hooks") if isinstance(repository, dict) else None
        for hook in hooks if isinstance(hooks, list) else ():
            if isinstance(hook, dict) and "id" in hook:
                found.append(str(hook["id"]))
    return found


def _repos(node: Any) -> Any:
    """The YAML node of the list of repositories. Raises LookupError where there is none."""
    pairs = node.value if getattr(node, "id", "") == "mapping" else ()
    for key, value in pairs:
        if key.value == "repos" and value.id == "sequence":
            return value
    raise LookupError("repos")


def _added(text: str, repos: Any, entry: str) -> str:
    """The text with `entry` as one more item of the list, at the list's own depth."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if repos.value and repos.flow_style:
        raise LookupError("a list in brackets")
    if repos.value:
        depth, at = repos.start_mark.column, _end(repos)
        at = len(text[:at].rstrip()) if text[:at].endswith("\n") else _line_end(text, at)
        head, tail = text[:at], text[at:]
    else:  # `repos: []`
        depth, head = 2, text[: repos.start_mark.index].rstrip(" ")
        tail = text[repos.end_mark.index :]
    lines = indent(entry.rstrip("\n"), " " * depth).splitlines()
    return head + newline + newline.join(lines) + tail


def _end(node: Any) -> int:
    """Where the last word of a node ends; a block's own mark would stand after later comments."""
    while node.id != "scalar" and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if text[end - 1 : end] == "\r" else end
