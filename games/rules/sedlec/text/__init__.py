"""The words of Sedlec: notation, labels, phrases, in both languages."""
