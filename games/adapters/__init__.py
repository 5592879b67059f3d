"""Adapters of all games for libraries that train programs. Each adapter needs an extra package."""
