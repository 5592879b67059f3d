"""Deadlines and their reasons: schedules, reminders, pauses, steps of the clock."""
