"""Rules for all request serializers."""

from datetime import timedelta

import pytest
from rest_framework import serializers

from accounts.web.serializers import PeriodField, StrictSerializer


class Table(StrictSerializer):
    rules = serializers.CharField()
    state = serializers.CharField(read_only=True)
    turn = PeriodField(shortest="PT1M", longest="P30D", required=False)


def test_each_field_that_is_not_taken_is_refused_by_name() -> None:
    table = Table(data={"rules": "coup", "state": "over", "seed": "00", "": 1})
    assert not table.is_valid()
    codes = {name: [error.code for error in errors] for name, errors in table.errors.items()}
    assert codes == {"state": ["read-only"], "seed": ["unknown-field"], "": ["unknown-field"]}


def test_fields_within_fields_are_refused_by_name_too() -> None:
    class Sample(StrictSerializer):
        tables = Table(many=True)

    sample = Sample(data={"tables": [{"rules": "coup"}, {"rules": "coup", "seed": "00"}]})
    assert not sample.is_valid()
    assert sample.errors["tables"][1]["seed"][0].code == "unknown-field"


def test_an_impossible_choice_is_refused_with_the_possible_ones() -> None:
    class Bot(StrictSerializer):
        level = serializers.ChoiceField(choices=["easy", "strong"])
        styles = serializers.ListField(child=serializers.ChoiceField(choices=[("calm", "Calm"), ("bold", "Bold")]))
        by_game = serializers.DictField(child=serializers.ListField(child=serializers.ChoiceField(choices=["easy"])))

    bot = Bot(data={"level": "godlike", "styles": ["wild"], "by_game": {"coup": ["hard"]}})
    assert not bot.is_valid()
    assert bot.errors["level"] == ["“godlike” isn’t possible here. Write one of these: easy, strong."]
    assert bot.errors["styles"][0] == ["“wild” isn’t possible here. Write one of these: calm, bold."]
    assert bot.errors["by_game"]["coup"][0] == ["“hard” isn’t possible here. Write one of these: easy."]


@pytest.mark.parametrize(
    ("text", "period", "shortest"),
    [
        ("P2D", timedelta(days=2), "P2D"),
        ("PT90M", timedelta(minutes=90), "PT1H30M"),
        ("P1DT12H", timedelta(days=1, hours=12), "P1DT12H"),
        ("PT61S", timedelta(seconds=61), "PT1M1S"),
    ],
)
def test_a_period_is_read_and_written_in_its_shortest_way(text: str, period: timedelta, shortest: str) -> None:
    table = Table(data={"rules": "coup", "turn": text})
    table.is_valid(raise_exception=True)
    assert table.validated_data["turn"] == period
    assert Table({"rules": "coup", "state": "open", "turn": period}).data["turn"] == shortest


def test_no_time_at_all_is_written_too() -> None:
    assert PeriodField(shortest="PT0S", longest="P1D").to_representation(timedelta()) == "PT0S"
