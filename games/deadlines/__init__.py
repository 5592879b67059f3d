"""Deadlines of questions: calculation, reminders, pauses and steps of the clock."""
