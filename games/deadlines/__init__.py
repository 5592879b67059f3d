"""When an answer is due, and why: schedules, reminders, pauses, steps of the clock."""
