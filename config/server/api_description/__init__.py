"""The OpenAPI document, its examples, and the page that shows it.

``docs/openapi.yaml`` is the published version. ``make schema`` writes it, and refuses changes that break clients
(``tests/contract/compatibility.py``). The document is made in three steps: drf-spectacular reads the views,
``games/api/shared/schema.py`` adds the types of the games, and ``config/server/api_description/openapi.py`` adds errors
and headers, which follow from the form of an operation, the introduction in ``description.md`` and the examples in
``examples/``. Tests check that every operation is described and every example matches its schema.
"""
