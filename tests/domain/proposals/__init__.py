"""Tests of proposals: what guards say, what waits, what is applied, what is remembered."""
