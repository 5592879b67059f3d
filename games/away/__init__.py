"""Absent players: pauses, vacations, stand-ins and the calendar feed."""
