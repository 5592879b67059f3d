"""A server goes on with tables to which a newer version has added something, also after a restart."""

from pathlib import Path

from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, database
from tests.server.player import Player
from tests.server.replies import opened


def upgrade_tables(server: Darbar) -> None:
    """Change the tables of a server as a newer version would whose migration only adds."""
    with database(server) as connection:
        connection.execute("ALTER TABLE games_game ADD COLUMN weather text NOT NULL DEFAULT 'fair'")
        connection.execute("CREATE TABLE games_weather (id bigint PRIMARY KEY)")
        connection.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_weather', now())")


def test_games_go_on_with_tables_of_a_newer_version_also_after_a_restart(prepared: Path) -> None:
    with on_a_copy(prepared) as server:
        server.start()
        with Player(server, "Maryam") as maryam:
            first_game, second_game = opened(maryam), opened(maryam)
            upgrade_tables(server)
            maryam.answer(first_game, "income")
            events = maryam.get(f"games/{first_game}/events/")["results"]
            assert server.end() == 0
            server.start()
            assert "this program lacks games.9999_weather" in server.output()
            assert maryam.get(f"games/{first_game}/events/")["results"][: len(events)] == events
            maryam.answer(second_game, "income")
            opened(maryam)
