"""Games, invitations, stand-ins, pauses and vacations."""
