"""Stores and resolves moves, with everything that answers in place of a player: plans, timeouts and bots."""
