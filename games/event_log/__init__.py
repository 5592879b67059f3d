"""The append-only log of events: its only reader and writer, and the events that belong to no rules."""
