"""The words of Coup: notation, labels, phrases, in both languages."""
