"""The words of games: stories that tell several events at once, and files of notation."""
