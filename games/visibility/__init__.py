"""What a viewer may know of a game: shown events, views, pictures and chat. Everything that leaves passes here."""
