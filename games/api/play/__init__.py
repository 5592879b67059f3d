"""Views, events, questions, moves and plans of a game, what became of moves, and the record of a game that is over."""
