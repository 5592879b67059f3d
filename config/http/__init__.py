"""Everything that a request meets before a view: limits, headers, problems, outages; and the event stream.

Connections:

The web server and the event stream listen with ``config/http/server/serving.py``: uvicorn, whose protocol class is
extended with deadlines and limits. A head has 10 seconds, a body 60, a pause between requests 15, and a client that
leaves 64 KiB of an answer unread 20. What is late is cut. Open connections are counted by address, or IPv6 network of
64 bits, and in all (``accounts/limits/connections.py``, which the mail server uses too); one over a limit is closed
at once. Where all places are taken, a connection that waits for its client is closed for a new one, if its network
has more than the new one's. The soft limit of open files is raised to the hard one, and connections leave 200 of them
free.

``config/http/server/gateway.py`` reads a request's whole body (``config/http/server/request_body.py``) before the
request takes a thread, and sends the answer when the thread is free again, so that no client's pace holds one. Bodies
hold 96 MiB at once and 32 MiB of one client, not counting the first 64 KiB of each. Threads go round between clients
(``config/http/server/fair_threads.py``): one has 12 of 16 at most, and a client that asks little waits behind one
request of each other client, not behind all of them. A client has ``REQUESTS_AT_ONCE_PER_ADDRESS`` requests in
progress; more are refused with 429 and ``Retry-After``. 500 of all clients together are the limit, then 503. Behind
``TRUSTED_PROXIES`` the client is who X-Forwarded-For names, and connections are counted in all only. ``make siege``
(``bench/siege``) attacks a real server at every door while people play on it, bare and behind nginx; a small siege is
among the tests.

Browsers:

``config/http/security_policy.py`` has the policy of every answer (``config/http/headers.py``, django-csp): scripts,
styles and pictures are files of this server, nothing stands inline, nothing is framed. Pages behind secret links have
a stricter one (``games/pages/shared/secret_pages.py``), pictures run in a sandbox, and Swagger's page may have its
style sheet in itself, but no script. Where ``PUBLIC_URL`` is https a proxy is expected that speaks TLS, sets
``X-Forwarded-Proto`` and redirects who comes without; cookies are then sent over TLS only, and browsers are told to
stay with it. ``manage.py check --deploy`` is silent about what is that proxy's and the domain's.

Problems:

Every refusal of the API is a problem detail (RFC 9457) with a code. Doors raise exceptions whose ``default_code`` is
one of the codes in ``config/http/problems.py``; that module gives them their one shape.
"""
