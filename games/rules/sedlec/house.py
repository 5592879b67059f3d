from games.engine.rules import any_move

house_move = any_move
