"""Player profiles, and the settings for notifications and times."""
