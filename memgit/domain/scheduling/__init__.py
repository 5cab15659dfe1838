"""Scheduling: the daily sweep in the words of cron, of systemd and of launchd."""
