"""The drawings of Sedlec: the table and the figures of its rules page."""
