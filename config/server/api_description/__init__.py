"""The OpenAPI documents, their examples, and the page that shows them.

``docs/openapi.yaml`` and ``docs/openapi-account.yaml`` are the published versions. ``make schema`` writes them, and
refuses changes that break clients (``tests/contract/compatibility.py``). They are made in four steps: drf-spectacular
reads the views, ``games/api/shared/schema.py`` adds the types of the games, ``openapi.py`` adds errors and headers,
which follow from the form of an operation, the introduction in ``description.md`` and the examples in ``examples/``,
and ``document.py`` takes the documents from the whole. Tests check that every operation is described and every example
matches its schema.
"""
