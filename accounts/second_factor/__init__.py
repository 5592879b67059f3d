"""Second factors: codes of an app, passkeys, recovery codes."""
