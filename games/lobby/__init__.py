"""Games before their start, and who sits where: create, join, invite, take over, leave."""
