"""Sign-up, log-in and codes by email, with allauth.

Anyone who knows an address can ask for a code to it. So a code proves only that its email was read, not that its reader
asked for it. Each request is a row (``CodeRequest``) with a keyed hash of its own code. The row of a sign-up has the
name, the language and the hash of the password. Only ``accounts.authentication.sign_up.confirm`` turns it into an
account. In addition to the code it needs a proof that its sender made this sign-up: the password, or the session of the
browser.

So a later sign-up with the same address does not invalidate the code of an earlier one. Nor does it give its sender the
account when the owner of the address confirms the latest email. Sign-ups reserve no names: the first one to confirm
gets the name. If the address has an account, the same row is stored, without a code. Codes for a new password
(``accounts.authentication.sign_up``) are independent of each other in the same way.
"""
