"""The forms in which a line claims something outright, one row each.

The one rule: only what is written as such. `name = value` without its file, a number without the
word "port", a hash without the word "commit" claim nothing; and where a branch was at work is
history, so only what is said to be kept on one is claimed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memgit.domain.claims.arguments import Value

Made = dict[str, Value] | None


@dataclass(frozen=True)
class Form:
    """`needs` are words one of which every such line has, in small letters; `made` gives the
    arguments, or None for what only looks like it.
    """

    probe: str
    needs: Sequence[str]
    pattern: re.Pattern[str]
    made: Callable[[re.Match[str]], Made]


_PATH = r"`?(?P<path>(?:[\w.@-]+/)*(?:[\w@-]+\.[A-Za-z]|\.env)[\w.]{0,12})`?"
_WORDS = r"[A-Za-z_][\w.-]{0,60}\s*[=:]\s*[^`]{1,80}"
_NAME = r"[A-Z][A-Z0-9_]{2,80}"
_ENV = r"`?\.env\.(?:example|sample|template)`?"
_SERVICE = r"(?:github|actions|repo(?:sitory)?|ci)"
_SLUG = r"[a-z0-9][a-z0-9_-]{1,62}"
_BRANCH = r"[\w./+#-]*[A-Za-z][\w./+#-]*"
_FILE = re.compile(r"(?i)\.(?:pyi?|[cm]?[jt]sx?|go|rs|rb|md|json|ya?ml|toml|sh|ps1|txt|sql|cfg)$")


def _one(name: str) -> Callable[[re.Match[str]], Made]:
    """The one group that matched, as this argument."""
    return lambda found: {name: next(filter(None, found.groups()))}


def _number(found: re.Match[str]) -> Made:
    return {"port": int(next(filter(None, found.groups())))}


def _placed_number(found: re.Match[str]) -> Made:
    return {"port": int(found["port"]), "path": found["path"]}


def _all(found: re.Match[str]) -> Made:
    """Every group that matched, by its name."""
    return {name: value for name, value in found.groupdict().items() if value}


def _commit(found: re.Match[str]) -> Made:
    commit = str(next(filter(None, found.groups()))).lower()
    return {"commit": commit} if re.search(r"\d", commit) else None


def _setting(found: re.Match[str]) -> Made:
    path = found["path"] or found["first"] or found["ja"]
    return {"path": path, "text": (found["text"] or found["later"] or found["jatext"]).strip()}


def _symbol(found: re.Match[str]) -> Made:
    return None if _FILE.search(found["symbol"]) else _all(found)


def _pinned(found: re.Match[str]) -> Made:
    return {"package": found["package"] or found["ja"], "version": found["version"] or found["at"]}


def _visible(found: re.Match[str]) -> Made:
    return {"repo": found["repository"], "visibility": found["visibility"].lower()}


def _amazon(found: re.Match[str]) -> Made:
    return {"cloud": "aws", **(_all(found) or {})}


def _google(found: re.Match[str]) -> Made:
    return {"cloud": "gcp", **(_all(found) or {})}


_PLACED = (
    *(
        "` in ",
        "` at ",
        "` is ",
        "` lives",
        "` stands",
        "の`",
        "で`",
        "に`",
        "の `",
        "で `",
        "に `",
    ),
    *(" sets `", " has `", " says `", " contains `", " holds `", " defines `"),
)
"""How a line goes on that says in which file a setting is."""

FORMS: Sequence[Form] = (
    Form("commit_exists", ("commit", "コミット"), re.compile(
        r"(?i)\bcommits?\s+`?([0-9a-f]{7,40})\b(?![\w.-])`?|コミット\s*`?([0-9a-f]{7,40})\b"
    ), _commit),
    Form("branch_exists", ("branch", "ブランチ"), re.compile(
        r"(?i)\b(?:default|release|main|production|staging|deploy(?:ment)?|long-lived|integration"
        r"|protected|stable|lives on|kept on|maintained on|stays on)\s+(?:the\s+)?branch"
        rf"(?:\s+is)?(?:\s+called|\s+named)?:?\s+`({_BRANCH})`"
        rf"|\bbranch\s+`({_BRANCH})`\s+(?:exists|holds|has|is (?:kept|protected|the)|carries)\b"
        rf"|ブランチ\s*`({_BRANCH})`\s*(?:に|が|で)(?:ある|あり|残|保)"
    ), _one("branch")),
    Form("port_configured", ("port ",), re.compile(
        r"(?i)\bport\s+`?(?P<port>\d{2,5})`?\s*(?:is (?:set|configured)\s+)?(?:in|from|\()\s*"
        + _PATH
    ), _placed_number),
    Form("port_configured", ("port ", " on :", "ポート"), re.compile(
        r"(?i)\b(?:listens?|runs?|served?|serves|exposed|available|binds?)\s+(?:on|at)\s+"
        r"(?:port\s+|:)`?(\d{2,5})\b(?!\.)|ポート(?:番号)?(?:は)?\s*`?(\d{2,5})\b"
    ), _number),
    Form("path_contains", _PLACED, re.compile(
        rf"`(?P<text>{_WORDS})`\s+(?:is set\s+|is\s+|lives\s+|stands\s+)?(?:in|at)\s+{_PATH}"
        rf"|{_PATH.replace('path', 'first')}\s+(?:sets|has|says|contains|holds|defines)\s+"
        rf"`(?P<later>{_WORDS})`"
        rf"|{_PATH.replace('path', 'ja')}\s*(?:の|で|に)\s*`(?P<jatext>{_WORDS})`"
    ), _setting),
    Form("path_contains", ("` in", "` at ", "` is ", "` li", "` st", "` de"), re.compile(
        r"`(?P<symbol>[A-Za-z_][\w.]{2,80})(?:\(\))?`\s+"
        r"(?:is\s+|lives\s+|stands\s+|is defined\s+|defined\s+)?(?:in|at)\s+" + _PATH
    ), _symbol),
    Form("secret_exists", ("secret",), re.compile(
        rf"(?i:\b{_SERVICE}\s+secrets?\s+)`?({_NAME})\b"
        rf"|`({_NAME})`\s+(?i:{_SERVICE}\s+secret\b)"
        rf"|\$\{{\{{\s*secrets\.({_NAME})\s*\}}\}}"
    ), _one("name")),
    Form("secret_exists", ("doppler",), re.compile(
        rf"`(?P<name>{_NAME})`[^.;|`]{{0,30}}\bin\s+Doppler\s+(?:project\s+)?"
        rf"`(?P<project>{_SLUG})/(?P<config>{_SLUG})`"
    ), _all),
    Form("doppler_project_exists", ("doppler",), re.compile(
        rf"(?i:\bdoppler\s+project)\s+`(?P<project>{_SLUG})`"
    ), _all),
    Form("env_example_has", (".env.",), re.compile(
        rf"`({_NAME})`[^.;|]{{0,40}}{_ENV}|{_ENV}[^.;|`]{{0,40}}`({_NAME})`"
    ), _one("name")),
    Form("ci_job_exists", ("job", "ジョブ"), re.compile(
        r"(?i)\bCI job\s+`([\w -]{2,60})`|`([\w-]{2,60})`\s+CI job\b"
        r"|CI\s*(?:の)?ジョブ\s*`([\w-]{2,60})`"
    ), _one("job")),
    Form("command_exists", ("installed", "available", "path", "インストール", "使え"), re.compile(
        r"`([A-Za-z][\w.+-]{1,30})`\s+is\s+(?:installed|available on|on (?:the |your )?PATH)\b"
        r"|`([A-Za-z][\w.+-]{1,30})`\s*(?:が|は)\s*(?:インストール済|インストールされ|使える)"
    ), _one("command")),
    Form("package_version", ("pinned", "locked", "固定"), re.compile(
        r"`(?P<package>@?[A-Za-z][\w.-]*(?:/[\w.-]+)?)`\s+is\s+(?:pinned|locked)\s+(?:at|to)\s+"
        r"`?v?(?P<version>\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?)`?"
        r"|`(?P<ja>@?[A-Za-z][\w.-]*(?:/[\w.-]+)?)`\s*(?:は|を)\s*`?v?"
        r"(?P<at>\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?)`?\s*(?:に|で)\s*固定"
    ), _pinned),
    Form("repo_visibility", ("public", "private", "internal"), re.compile(
        r"(?i)(?<![\w./-])`?(?P<repository>[A-Za-z0-9][\w.-]+/[\w.-]+)`?\s+"
        r"(?:repo(?:sitory)?\s+)?is\s+(?:a\s+)?"
        r"(?P<visibility>public|private|internal)\b(?!\s+(?:key|method|api))"
    ), _visible),
    Form("cloud_instance_exists", ("instance",), re.compile(
        r"(?i)\b(?:EC2\s+)?instance\s+`?(?P<instance>i-[0-9a-f]{8,17})`?"
        r"(?:\s+(?:in|at)\s+`?(?P<place>[a-z]{2}-[a-z]+-\d)`?)?"
    ), _amazon),
    Form("cloud_instance_exists", ("instance",), re.compile(
        r"(?:GCE|GCP|Compute Engine)\s+instance\s+`(?P<instance>[a-z][a-z0-9-]{0,62})`"
        rf"(?:\s+(?:in|of)\s+(?:the\s+)?project\s+`(?P<project>{_SLUG})`)?"
    ), _google),
)  # fmt: skip
"""Every form, those that say more before those that say less of the same."""


def forms_of(text: str) -> tuple[Form, ...]:
    """The forms that a text can have at all; `text` is in small letters."""
    return tuple(form for form in FORMS if any(word in text for word in form.needs))
