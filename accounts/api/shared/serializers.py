"""Serializers of accounts and tokens."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from accounts import credentials, local_times, names
from accounts.api.channels import UnreachableField
from accounts.api.shared.preferences import PreferencesSerializer
from accounts.local_times import validate_time_zone
from accounts.models import Account, Language, Token
from accounts.tokens import ALL, Scope
from accounts.web.api_view import stream_address
from accounts.web.serializers import LocalTimeField, PeriodField, StrictModelSerializer, StrictSerializer
from notifications.channels.push import public_key

LONGEST_PASSWORD: Final = 1000
SHORTEST_LIFE: Final = timedelta(minutes=1)
LONGEST_LIFE: Final = timedelta(days=3650)


IS_BOT: Final = (
    "A program plays for this account. Others see this at the seat, and it cannot be changed. Emails about "
    "games come only if `preferences.mails` asks for them."
)


class PasswordField(serializers.CharField):
    """A password. Blanks at its ends are kept."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_PASSWORD, trim_whitespace=False, write_only=True, **kwargs)


class LanguageField(serializers.ChoiceField):
    """A language of the pages and emails."""

    default_error_messages: ClassVar = {
        "invalid_choice": _("“{input}” isn’t a language of this server. Use en (English) or fa (Persian).")
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=Language.choices, **kwargs)


class ScopeField(serializers.ChoiceField):
    """A scope of a token."""

    default_error_messages: ClassVar = {
        "invalid_choice": _(
            "“{input}” isn’t a scope. The scopes are games:read, games:play, chat, account and webhooks."
        )
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=Scope.choices, **kwargs)


class SignUpSerializer(StrictSerializer):
    """A sign-up."""

    email = serializers.EmailField(max_length=credentials.LONGEST, validators=[credentials.validate_address])
    password = PasswordField()
    name = serializers.CharField(
        max_length=names.LONGEST, help_text="The name that others read at the table, and write in moves."
    )
    language = LanguageField(
        required=False, help_text="The language of emails and answers. Without it: that of this request."
    )
    time_zone = serializers.CharField(
        required=False, default="UTC", help_text="A time zone from the IANA list: Asia/Tehran."
    )
    is_bot = serializers.BooleanField(required=False, default=False, help_text=IS_BOT)


class SignedUpSerializer(serializers.Serializer[Any]):
    """The address to which the code was sent."""

    email = serializers.EmailField()


class ConfirmSerializer(StrictSerializer):
    """The code from the email, with the address and password of the sign-up."""

    email = serializers.EmailField(max_length=254)
    code = serializers.CharField(max_length=40, help_text="With or without its dash, in any case.")
    password = PasswordField(help_text="The one that was signed up with: it says whose sign-up the code confirms.")


class AccountSerializer(StrictModelSerializer):
    """An account, as its owner sees it."""

    name = serializers.CharField(max_length=names.LONGEST, validators=[names.validate_name])
    language = LanguageField()
    time_zone = serializers.CharField(validators=[validate_time_zone])
    sleep_from = LocalTimeField(
        allow_null=True,
        help_text="The hour, in your time zone, from which you sleep, until `sleep_to`: none of your deadlines "
        "passes in between, as far as the game allows. 12 hours at most. It applies to questions asked from "
        "now on.",
    )
    sleep_to = LocalTimeField(
        allow_null=True,
        help_text="The hour at which you wake. Set it together with `sleep_from`; both null: no sleep hours.",
    )
    preferences = PreferencesSerializer(required=False)
    is_bot = serializers.BooleanField(help_text=IS_BOT)
    public_profile = serializers.BooleanField(
        help_text="People without an account may read your results, ratings and public games too. False by default."
    )
    shows_answer_times = serializers.BooleanField(
        help_text="Other players may see how quickly you usually answer. True by default."
    )
    shows_presence = serializers.BooleanField(
        help_text="Those who play with you may see when all of you have the game open, on a page or in a program. "
        "False by default."
    )
    unreachable = UnreachableField(
        help_text="The reason why no email goes to your address, and since when; null if emails go out. "
        "`me/confirmation/` sends the email with which you confirm it."
    )
    stream = serializers.SerializerMethodField(
        help_text="The address of the event stream. That of the open games has `games/` after it."
    )

    push_key = serializers.SerializerMethodField(
        help_text="The public key with which a browser subscribes to pushes (VAPID), in base64url."
    )

    class Meta:
        model = Account
        fields = (
            "email", "name", "language", "time_zone", "sleep_from", "sleep_to", "preferences", "is_bot",
            "public_profile", "shows_answer_times", "shows_presence", "unreachable", "stream", "push_key", "created_at",
        )  # fmt: skip
        read_only_fields = ("email", "created_at")

    def get_stream(self, account: Account) -> str:
        return stream_address()

    def get_push_key(self, account: Account) -> str:
        return public_key()

    def validate_name(self, name: str) -> str:
        return names.tidy(name)

    def validate(self, changes: dict[str, Any]) -> dict[str, Any]:
        hours = [changes.get(field) for field in ("sleep_from", "sleep_to") if field in changes]
        if hours and (error := local_times.find_sleep_error(*hours) if len(hours) == 2 else local_times.HALF_SLEEP):
            raise serializers.ValidationError({"sleep_from": ErrorDetail(str(error), code="sleep")})
        return changes

    def validate_is_bot(self, is_bot: bool) -> bool:
        """Refuse to turn a bot account into a player account. Others have relied on the mark."""
        if self.instance is not None and self.instance.is_bot and not is_bot:
            sentence = _("Bot accounts can’t become player accounts. Create a new one to play yourself.")
            raise serializers.ValidationError(sentence, code="bot")
        return is_bot


class IdentitySerializer(AccountSerializer):
    """The part of an account that every token may read."""

    class Meta(AccountSerializer.Meta):
        fields = ("name", "language", "is_bot", "stream")  # type: ignore[assignment]


class NewTokenSerializer(StrictSerializer):
    """A token to create, and the proof of who asks."""

    email = serializers.EmailField(max_length=254)
    password = PasswordField()
    otp = serializers.CharField(
        max_length=40,
        required=False,
        help_text="If the account has a second factor: the code that its authenticator app shows, or a recovery code.",
    )
    name = serializers.CharField(max_length=100, help_text="Your name for it: the phone, the bot.")
    scopes = serializers.ListField(
        child=ScopeField(),
        required=False,
        allow_empty=False,
        min_length=1,
        help_text="The scopes of the token. Without them: everything.",
    )
    expires_in = PeriodField(
        shortest="PT1M",
        longest="P3650D",
        required=False,
        allow_null=True,
        help_text="Without it the token never expires.",
    )
    expires_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="A time instead: from a minute to ten years from now."
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Refuse a request that sets the expiry in two ways."""
        if data.get("expires_in") and data.get("expires_at"):
            sentence = _("Send expires_in or expires_at, not both.")
            raise serializers.ValidationError({"expires_at": ErrorDetail(str(sentence), code="twice")})
        return data

    def validate_expires_at(self, moment: datetime | None) -> datetime | None:
        if moment is not None and not SHORTEST_LIFE <= moment - self.context["now"] <= LONGEST_LIFE:
            raise serializers.ValidationError(
                _("A token must expire between a minute and ten years from now."), code="lifetime"
            )
        return moment

    def validate_scopes(self, names: list[str]) -> list[str]:
        return [scope for scope in ALL if scope in names]


class TokenSerializer(serializers.ModelSerializer[Token]):
    """A token, without the token itself."""

    id = serializers.UUIDField(source="public_id")
    scopes = serializers.ListField(child=ScopeField())
    prefix = serializers.CharField(source="token_key", help_text="Its first characters, to tell it by.")
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry", allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the hour; null: never.")

    class Meta:
        model = Token
        fields: tuple[str, ...] = ("id", "name", "scopes", "prefix", "created_at", "expires_at", "last_used_at")


class IssuedTokenSerializer(TokenSerializer):
    """A new token. ``token`` is shown only in this answer."""

    token = serializers.CharField()

    class Meta(TokenSerializer.Meta):
        fields = ("token", *TokenSerializer.Meta.fields)
