"""A siege: slow, idle and never-reading attackers at every service of a real server while others play on it."""
