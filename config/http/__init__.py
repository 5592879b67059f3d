"""The code that a request meets before a view (limits, headers, problems, outages), and the event stream.

Connections:

The web server and the event stream listen with ``config/http/server/serving.py``: uvicorn, whose protocol class is
extended with deadlines and limits. A head has 10 seconds, a body 60, a pause between requests 15, and a client that
leaves 64 KiB of an answer unread 20. Late connections are cut. Open connections are counted by address (IPv6: /64), by
network (IPv4: /24; IPv6: /56 and /48) and in all (``accounts/limits/connections.py``, which the mail server uses too).
Where all places are taken, the network that holds most gives up the connection that has waited longest for its client.
The soft limit of open files is raised to the hard one, and connections leave 200 of them free.

``config/http/server/gateway.py`` reads a request's whole body (``config/http/server/request_body.py``) before the
request takes one of 500 slots and a thread, and sends the answer when the thread is free again, so that no client's
pace holds one. Bodies hold 96 MiB together and 32 MiB of one address, not counting the first 64 KiB of each. Threads go
round between networks (``config/http/server/fair_threads.py``): one has 12 of 16 at most, and a network that asks
little waits behind one request of each other network, not behind all of them. An address has
``REQUESTS_AT_ONCE_PER_ADDRESS`` requests in progress; more are refused with 429 and ``Retry-After``. Where all slots
are taken, the greediest network gives one up. Behind ``TRUSTED_PROXIES`` the client is who X-Forwarded-For names, and a
connection counts for it as soon as a head is here. ``make siege`` (``bench/siege``) attacks a real server at every
service while people play on it, bare, behind nginx and behind Caddy; a small siege is among the tests.

Browsers:

``config/http/security_policy.py`` has the policy of every answer (``config/http/headers.py``, django-csp): scripts,
styles and pictures are files of this server, nothing stands inline, nothing is framed. Pages behind secret links have
a stricter one (``games/pages/shared/secret_pages.py``), pictures run in a sandbox, and Swagger's page may have its
style sheet in itself, but no script. Where ``PUBLIC_URL`` is https a proxy is expected that speaks TLS, sets
``X-Forwarded-Proto`` and redirects who comes without; cookies are then sent over TLS only, and browsers are told to
stay with it. ``manage.py check --deploy`` is silent about the parts that are the proxy's and the domain's.

Problems:

Every refusal of the API is a problem detail (RFC 9457) with a code. Doors raise exceptions whose ``default_code`` is
one of the codes in ``config/http/problems.py``; that module gives them their one shape.
"""
