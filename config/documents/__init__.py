"""The documents site: Markdown of ``docs/`` made into pages by ``make docs``, and served at ``/docs/``."""
