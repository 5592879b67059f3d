"""Games before their start, and changes of seats: create, join, invite, start, leave and take over."""
