"""Overdue questions: default moves, reminders, and deadlines that are moved after downtime and outages."""
