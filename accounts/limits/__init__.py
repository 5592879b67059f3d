"""Limits on requests and connections, requests that have their effect once, the security log, and sightings.

Who asks, and how much:

A program shows a token, one of two kinds, both kept as hashes: a person's own (``accounts.tokens.tokens``,
django-rest-knox), or one that a third-party app got by OAuth 2 from a person who agreed (``accounts.oauth``,
allauth's identity provider without OpenID Connect). ``TokenAuthentication`` knows both, and
``accounts.tokens.permissions`` asks both for the operation's scope. A session opens pages and nothing of the API, so
that pages from elsewhere may call the API (CORS for every origin, no cookies).

To what allauth does, ``accounts/oauth/views.py`` adds PKCE with S256 for every app, the issuer in each answer (RFC
9207), a lock for each code and refresh token, and a memory of those that are spent: one that is shown twice ends the
grant. Which of the two a request shows follows from its ``grant_type``; a code that is shown wrongly once (verifier,
address, secret) holds no more. ``accounts/oauth/parameters.py`` reads requests strictly: each parameter once, none in
the query of the token endpoint, one way to authenticate, redirect addresses letter by letter (but for the port of a
program on its user's machine, RFC 8252). Of a code the cache keeps neither key nor value in clear. Developers make
apps known at ``me/apps/``, the operator with ``manage.py register_app``; what one has allowed is listed and taken
back at ``me/grants/`` and in the settings.

``config/http/rate_limits.py`` counts every request before any view runs: for the account, whichever of its tokens,
apps or sessions sends it (of an app: for its grant too), else for the address (IPv6: its /64) and for the network
around it. An allowance is one row of an unlogged table and one statement (``accounts/limits/rate_limits.py``), shared
by all processes, so that the limit is one however many there are; it costs about a twentieth of the quickest answer.
What may be tried at passwords and codes, and how many codes are mailed, is counted by
``accounts/limits/attempt_limits.py``. All limits stand in docs/limits.md, made from
``config/api_description/limits_table.py``. The API's description is built once by each process for each language and
form (``config/api_description/schema_cache.py``).

A request holds at most 2.5 MiB, whoever reads it (``config/http/body_limits.py``), and a document nests at most 20
deep (``config/http/json_documents.py``); only mail providers may send as much as an email holds. A new password ends
all tokens and grants (``accounts.tokens.grants.revoke_all``), unless its owner keeps them.

docs/roles.md says who may do what; ``tests/roles`` walks the URL map against it, tries every model's fields in every
request that writes, and compares what is foreign with what is missing byte for byte.
"""
