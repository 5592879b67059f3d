"""A siege: slow and idle clients attack every door of a real server while others play on it."""
