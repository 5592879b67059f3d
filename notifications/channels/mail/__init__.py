"""Email: how a notification becomes a mail, and how the mail server takes it."""
