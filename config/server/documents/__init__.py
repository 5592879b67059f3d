"""The documents site at ``/docs/``, which ``make docs`` builds from the Markdown files in ``docs/``."""
