"""The formats of a store, which `format` in `memgit.toml` names.

1: a memory is any markdown file. Its keys stand where whoever wrote it put them, and what it does
   not say follows from its path: a file that is moved has another name.
2: a memory says for itself what it is called and of which type it is, and its keys stand in the
   shape that Claude Code writes: `name` and `description` at the top, all others below `metadata`,
   many values as a list. What the agent edits then changes by the edited lines alone.

The one rule: every format is read and written for good; going to a newer one is an operation like
any other, which a person asks for and can take back.
"""
