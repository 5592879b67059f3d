"""Sign-up, log-in and codes: allauth without a browser.

Codes by email:

Whoever knows an address can ask for codes to it, so a code alone proves that its mail was read, not that its reader
asked for it. Each request is a row of its own (``accounts.authentication.codes``, CodeRequest) with a keyed hash of
its own code. A sign-up's row holds name, language and the hash of the password; only
``accounts.authentication.sign_up.confirm`` makes it an account, and takes besides the code a sign that its sender
made that very sign-up: its password, or the session of the browser that made it. So a later sign-up with the same
address neither voids the code of an earlier one nor gets its maker into the account when its owner confirms the
latest mail. Sign-ups hold no names; a name is taken by whoever confirms first. For an address that has an account the
same row is stored, without a code. Codes for a new password (``accounts.authentication.password_reset``) hold side by
side likewise.
"""
