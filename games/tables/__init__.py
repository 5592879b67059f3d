"""Games before their start and changes of their seats, searches for players, absent players, and the chat."""
