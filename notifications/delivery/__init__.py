"""The outbox: ordering, composing and delivering notifications."""
