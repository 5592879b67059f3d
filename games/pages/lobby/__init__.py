"""The home page, rules, lists of games, and creating or joining a game."""
