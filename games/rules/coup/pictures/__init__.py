"""The drawings of Coup: the board and the figures of its rules page."""
