"""The OpenAPI document: how it is put together, its examples, and the page that shows it.

``docs/openapi.yaml`` is what clients were promised; ``make schema`` keeps it, and refuses what would break them
(``tests/contract/compatibility.py`` knows what does). The document is put together in three steps: drf-spectacular
reads the views; ``games/api/shared/schema.py`` adds the games' own shapes, as msgspec has them, with the words under
each field; and ``config/api_description/openapi.py`` adds what follows from the form of an operation (how it may
refuse, its headers), the page in ``config/api_description/description.md`` and the examples in
``config/api_description/examples/``. Tests walk it: every operation is described, every example is as its schema
says, every POST takes an idempotency key or says why not, and no request takes a field or a parameter
(``config/api_description/known_parameters.py``) that is not named. ``make fuzz`` asks for everything it allows, and
for what it does not.

``GET questions/`` waits (``Prefer: wait``) in the web server's threads, at most half of them
(``games/api/shared/long_polling.py``), and looks every 0.2 s at the rows of the open questions; programs that want
more than ten seconds take the stream.
"""
