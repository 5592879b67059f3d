"""Players who are away: pauses, vacations, and who answers for them meanwhile."""
