"""Texts in the active language: phrases as sentences, answers, stories of tables, and links."""
