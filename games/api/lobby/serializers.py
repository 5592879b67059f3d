"""Serializers of requests before a game begins, and of its commitment."""

from typing import ClassVar

from rest_framework import serializers

from accounts.web.serializers import StrictSerializer
from games.api.shared.game_fields import OptionsField, SeedCommitmentField, SeedField
from games.models import Game


class JoinSerializer(StrictSerializer):
    """Your request to join a game."""

    code = serializers.CharField(
        max_length=40, default="", allow_blank=True, help_text="The game's code; needed if it is private."
    )
    seed = SeedField()
    seed_commitment = SeedCommitmentField()


class RevealSerializer(StrictSerializer):
    """The seed that a player committed to."""

    seed = serializers.RegexField(r"^[0-9a-f]{64}$", help_text="The 32 bytes in hexadecimal.")
    head = serializers.RegexField(
        r"^[0-9a-f]{64}$", help_text="The `deal_head` of the list that you have checked and kept."
    )
    next_seed_commitment = SeedCommitmentField(
        "The digest of another seed: you commit to it for a rematch of this game, and reveal it then."
    )


class RematchSerializer(StrictSerializer):
    """The changes of a rematch."""

    options = OptionsField(default=dict, help_text="Options to change, for example `starting_player`.")


class GameCommitmentSerializer(serializers.ModelSerializer[Game]):
    """The commitment that binds the server to the chance of a game: SHA-256 of `darbar-2|id|seed`."""

    deal_head = serializers.CharField(
        help_text="SHA-256 of `darbar-deal|` and the list that a protected deal follows from; blank if there is none."
    )

    class Meta:
        model = Game
        fields: ClassVar = ["id", "commitment", "deal_head"]
