from games.engine.rules import no_picture

picture = no_picture
