"""The settings and the environment that our own git runs under.

The one rule: nothing that a person's settings or a hook's variables say can make it sign, ask, run
a hook, work on another repository, or change what it prints.
"""

import os

LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
"""What `git rev-parse --local-env-vars` lists, and the two that hooks add."""

_ON_STDERR = ("1", "2", "true")
"""Values of `GIT_TRACE` and its like that mix what git does into what it says of its faults."""

_DATES = ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE")
"""What `git commit` and `git rebase` tell their hooks about the commit that they make."""

QUIET = ("-c", "safe.bareRepository=explicit", "-c", "protocol.ext.allow=never",
         "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "-c", "gc.auto=0",
          "-c", "core.quotePath=false", "-c", "advice.detachedHead=false",
          "-c", "core.autocrlf=false", "-c", "core.attributesFile=/dev/null",
          "-c", "core.fsmonitor=false", "-c", "i18n.commitEncoding=UTF-8",
          "-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.showSignature=false",
          "-c", "color.ui=false")  # fmt: skip
"""Our own commits update the index in process, so no hook has to; and what a person wrote goes in
byte for byte, whatever his own line-end settings turn CRLF into."""

ENVIRONMENT = {
    "GIT_EDITOR": ":",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "C",
    "LC_ALL": "C.UTF-8",
}


def wash_environment() -> None:
    """Take away the variables that would point git at another repository than the one named.

    Where there are any, the hook of another commit calls: its date is not ours either.
    """
    # What others met who did not: https://github.com/pre-commit/pre-commit/pull/321
    if [os.environ.pop(name) for name in LOCAL_VARIABLES if name in os.environ]:
        for name in _DATES:
            os.environ.pop(name, None)
    for name, value in [*os.environ.items()]:
        if name.startswith("GIT_TRACE") and value.lower() in _ON_STDERR:
            del os.environ[name]
