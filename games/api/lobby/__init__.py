"""Games, invitations and rules."""
