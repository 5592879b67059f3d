"""The words that are commands at a table, in both languages."""

from collections.abc import Mapping
from typing import Final

from games.engine.reading import Vocabulary
from games.mail.mail_commands import (
    AskOnlyAimed,
    ComeBack,
    Command,
    ListPlans,
    Pause,
    PlayAgain,
    Resign,
    Vote,
)

WORDS: Final = Vocabulary(
    {word: word for word in ("chat", "resign", "yes")}
    | {"گفت‌وگو": "chat", "گفتگو": "chat", "انصراف": "resign", "بله": "yes"}
    | {word: word for word in ("pause", "agree", "decline", "resume", "days")}
    | {"day": "days", "روز": "days", "وقفه": "pause", "موافقم": "agree", "مخالفم": "decline", "ادامه": "resume"}
    | {"rematch": "rematch", "play again": "rematch", "دوباره": "rematch", "بازی دوباره": "rematch"}
    | {"ask less": "ask-less", "کمتر بپرس": "ask-less", "ask all": "ask-all", "همه را بپرس": "ask-all"}
    | {"back": "back", "برگشتم": "back", "بازگشت": "back"}
    | {
        "plans": "plans",
        "پیش‌حرکت‌ها": "plans",
        "پیش‌حرکتها": "plans",
        "cancel": "cancel",
        "لغو": "cancel",
        "all": "all",
        "همه": "all",
    }
)
_COMMANDS: Final[Mapping[tuple[str, ...], Command]] = {
    ("back",): ComeBack(),
    ("ask-less",): AskOnlyAimed(enabled=True),
    ("ask-all",): AskOnlyAimed(enabled=False),
    ("resign",): Resign(sure=False),
    ("resign", "yes"): Resign(sure=True),
    ("pause",): Pause(),
    ("agree",): Vote("agree"),
    ("decline",): Vote("decline"),
    ("resume",): Vote("resume"),
    ("plans",): ListPlans(),
    ("rematch",): PlayAgain(),
}


def command_of(line: str) -> Command | None:
    """Return the command that consists only of words of the vocabulary, or None."""
    match words := WORDS.tokens(line, {}):
        case ("pause", days) | ("pause", days, "days") if days.isdigit():
            return Pause(int(days))
    return None if words is None else _COMMANDS.get(tuple(words))


def command_text(command: Command) -> str:
    """Return the English words of a command without a text of its own, or a blank text."""
    if isinstance(command, Pause) and command.days is not None:
        return f"pause {command.days}"
    return next((" ".join(words) for words, value in _COMMANDS.items() if value == command), "")
