"""Limits on requests, attempts and connections, idempotency, the security log, and sightings.

``config/server/rate_limits.py`` counts every request before its view runs: for the account, together for all its
tokens, apps and sessions, or without an account for the address (IPv6: its /64) and the network around it. Requests of
an app are counted for its grant too. An allowance is one row of an unlogged table that all processes share
(``rate_limits.py``). ``attempt_limits.py`` counts attempts at passwords and codes, and emails with codes.
docs/limits.md lists all limits; it is generated from ``config/server/api_description/limits_table.py``.

A request may have 2.5 MiB (``config/server/middleware.py``), and JSON may be nested 20 levels deep
(``config/server/json_documents.py``). Only mail providers may send more. docs/roles.md says who may do what, and
``tests/roles`` tests it for every URL.
"""
