"""Everything that a viewer may know of a game: shown events, views, pictures and chat. All that leaves passes here."""
