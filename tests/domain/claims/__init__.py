"""Tests of what memories claim, and of what is said of it."""
