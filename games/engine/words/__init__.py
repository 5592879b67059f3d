"""The words of games: stories with sentences about several events, and files of notation."""
