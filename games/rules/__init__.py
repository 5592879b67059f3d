"""The games that can be played: one folder each, pure, and the list of them."""
