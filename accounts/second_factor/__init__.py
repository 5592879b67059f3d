"""Second factors: codes of an app, passkeys, recovery codes.

Second factors are rows of allauth's ``Authenticator``: an authenticator app (TOTP), passkeys, and ten recovery codes,
which are created with the first factor and deleted with the last. Secrets are encrypted with a key derived from
``SECRET_KEY`` (``accounts.second_factor.factor_adapter``). A TOTP code is accepted one step early or late, and only
once: the row of the app stores the last used time step, under a lock, because allauth's own memory is a cache entry of
30 seconds. Wrong codes are counted for each account (docs/limits.md), and only after a correct password.

On pages the password leads to a second step. The session stores for ten minutes which account has passed the first
step, with a hash that changes with the password. In the API, ``POST tokens/`` and ``me/deletion/`` take ``otp``.
``accounts.authentication.reauthentication`` stores in each session how it was last authenticated.
``accounts.authentication.reauthentication`` admits sessions to the settings and to the consent page of apps
only after the second factor. Actions that are hard to undo (factors, tokens, the password, deleting the account)
require it again after ten minutes (``/login/again/``). When an account adds its first factor, its other sessions end.
``/admin/`` opens only after a second factor. The pages need no script, except for passkeys (``passkey.js``).

Sessions (``accounts.authentication.sessions``) are Django's, with a row of allauth's ``UserSession`` for address and
browser, which is deleted within an hour after the session has ended. A browser that logs in gets a signed cookie for
400 days that names the account by a keyed hash (``accounts.authentication.sessions``). A log-in without that
cookie and a token made by API are reported to the owner by email, except for the very first one.
"""
