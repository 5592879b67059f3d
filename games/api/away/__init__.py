"""Coming back, stand-ins, pauses and vacations."""
