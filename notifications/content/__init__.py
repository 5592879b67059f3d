"""Plain data that all packages share: the content of notifications, quiet hours and reply addresses."""
