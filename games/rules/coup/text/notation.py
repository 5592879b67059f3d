"""The words of Coup's notation in Persian, and every way to write them (``words.toml``)."""

from pathlib import Path

from games.engine.reading import read_words

PERSIAN, SYNONYMS = read_words(Path(__file__).with_name("words.toml"))
