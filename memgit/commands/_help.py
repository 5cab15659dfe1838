"""How a verb's help ends: with examples that can be copied.

The one rule: an example stands on a line of its own, as it is typed, however narrow the terminal.
"""


def examples(*lines: str, note: str = "") -> str:
    """The epilog of a verb: what a person would type, a line each, and before it a `note`."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    # click leaves a paragraph alone whose first line is this character: "Escaping Click's Wrapping"
    # in https://click.palletsprojects.com/en/stable/documentation/
    shown = "\n".join(("\b", title, *(f"  {line}" for line in lines)))
    return f"{note}\n\n{shown}" if note else shown
