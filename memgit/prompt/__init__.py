"""The prompt path: a little of the standard library, no process, no network, no daemon."""
