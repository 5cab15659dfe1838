#!/bin/sh
# The plugin's hooks start this. A plugin cannot know where memgit is, so it is looked for on PATH.
# Whatever is found there, nothing but a hook's answer gets out, and never a refusal of the prompt.
PATH=$PATH:$HOME/.local/bin
command -v memgit >/dev/null 2>&1 || exit 0
if [ -n "$CLAUDE_PLUGIN_OPTION_STORE" ]; then
    MEMGIT_REPO=$CLAUDE_PLUGIN_OPTION_STORE
    export MEMGIT_REPO
fi
if [ "$1" = session-event ]; then
    if [ "$CLAUDE_PLUGIN_OPTION_HARVEST" = true ]; then
        memgit session-event >/dev/null 2>&1
    fi
    exit 0
fi
answer=$(memgit recall 2>/dev/null) || exit 0
case $answer in
'{"hookSpecificOutput": '*) printf '%s\n' "$answer" ;;
esac
exit 0
