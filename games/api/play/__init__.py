"""Views, questions, moves and plans of a game, and what became of them."""
