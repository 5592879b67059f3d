"""Second factors: codes of an app, passkeys, recovery codes.

Second factors (``accounts.second_factor.factors``) are rows of allauth's ``Authenticator``: an authenticator app
(TOTP), passkeys (``accounts.second_factor.passkeys``), and ten recovery codes, which come with the first factor and
go with the last. Secrets are encrypted with a key derived from ``SECRET_KEY``
(``accounts.second_factor.factor_adapter``). A TOTP code is taken one step early or late, and once: the app's row
keeps the time step that was used last, under a lock, since allauth's own memory is a cache entry of 30 seconds. Wrong
ones are counted for each account (docs/limits.md), and only after the right password.

By page the password leads to a second step; whoever has passed the first is kept in the session for ten minutes, with
a hash that a new password changes. By API ``POST tokens/`` and ``me/deletion/`` take ``otp``.
``accounts.authentication.reauthentication`` keeps in each session how it was proved last:
``accounts.authentication.second_factor_middleware`` lets no session into the settings or to an app's consent page
that has not passed the factor of its account, and what is hard to undo (factors, tokens, the password, the end of the
account) asks again (``/login/again/``) after ten minutes. With an account's first factor its other sessions end.
``/admin/`` opens only to sessions that have passed one. Pages need no script, but for passkeys (``passkey.js``).

Sessions (``accounts.authentication.sessions``) are Django's, with a row of allauth's ``UserSession`` for address and
browser, deleted within an hour after the session is over. A browser in which somebody logs in gets a signed cookie
that names the account by a keyed hash, for 400 days (``accounts.authentication.known_devices``); a log-in without
that cookie, and a token made by API, are reported to the owner by email, but for the first of all.
"""
