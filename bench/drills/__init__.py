"""Drills for operators on real servers while people play: a pooler, failover, upgrades and a restore."""
