"""Overdue questions: default moves and reminders, and time that is given back after downtime and outages."""
