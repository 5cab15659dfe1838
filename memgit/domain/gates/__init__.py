"""The gates by family: plain functions from what a commit holds to the faults in it.

The one rule: a gate only looks, and each stands in the table of `memgit/domain/gates/table.py`.
"""
