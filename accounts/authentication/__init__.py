"""Sign-up, log-in and codes: allauth without a browser.

Codes by email: anyone who knows an address can ask for a code to it. So a code proves only that its email was read, not
that its reader asked for it. Each request is a row (``CodeRequest``) with a keyed hash of its own code. The row of a
sign-up has the name, the language and the hash of the password. Only ``accounts.authentication.sign_up.confirm`` turns
it into an account. Besides the code it needs a proof that its sender made this sign-up: the password, or the session of
the browser. So a later sign-up with the same address neither invalidates the code of an earlier one, nor gives its
sender the account when the owner of the address confirms the latest email. Sign-ups reserve no names: the first one to
confirm gets the name. For an address that has an account the same row is stored, without a code. Codes for a new
password (``accounts.authentication.password_reset``) are independent of each other in the same way.
"""
