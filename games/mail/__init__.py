"""Play by email: commands in emails, their handlers, and the sources of email."""
