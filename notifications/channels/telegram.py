"""Telegram: a message from a bot of the reader. See https://core.telegram.org/bots/api#sendmessage."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notifications.channels.base import ChatApp, ChatMessage, ChatResult, ForbiddenSecret, SecretChannel
from notifications.outgoing import GONE, REFUSED, Answer, ForbiddenAddress, Outcome, OutgoingRequest

_CHAT: Final = re.compile(r"-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{4,31}")
_TOKEN: Final = re.compile(r"[0-9]{3,20}:[A-Za-z0-9_-]{10,100}")
_BAD_REQUEST: Final = 400
"""The status code of Telegram for most errors, such as an unknown chat. The description tells them apart."""
_IS_UNCHANGED: Final = "message is not modified"
_IS_FINAL: Final = re.compile(
    r"chat not found|not enough rights|no rights to send|CHAT_(?:WRITE_FORBIDDEN|RESTRICTED|SEND_PLAIN_FORBIDDEN)"
    r"|PEER_ID_INVALID|TOPIC_(?:CLOSED|DELETED)|group chat was deactivated",
    re.IGNORECASE,
)
"""Descriptions of errors after which the bot cannot write to the chat."""


class Telegram(SecretChannel, ChatApp):
    """Telegram. The address is the number of a chat. The secret is the token of a bot that may write there."""

    app = "Telegram"
    label = gettext_lazy("by Telegram")
    description = (
        "to your chat on Telegram, whose number is one of your `addresses`, by your bot, whose token is one of "
        "your `secrets`"
    )
    address_label = gettext_lazy("Your chat on Telegram")
    address_help = gettext_lazy(
        "The number of the chat, such as 123456789. Write to your bot first, because a bot can’t start a chat. "
        "Then @userinfobot tells you your number."
    )
    secret_label = gettext_lazy("The token of your bot on Telegram")
    secret_help = gettext_lazy("Write /newbot to @BotFather on Telegram, and copy the token that it answers with.")
    handle_shape = re.compile(r"@[A-Za-z][A-Za-z0-9_]{3,31}")
    handle_help = gettext_lazy("Telegram: your username with @, such as @maryam. You find it in Telegram’s settings.")
    hopeless = (*GONE, *REFUSED, _BAD_REQUEST)

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress for an invalid chat."""
        if not _CHAT.fullmatch(address):
            raise ForbiddenAddress(_("A Telegram chat is a number such as 123456789, or a name such as @my_channel."))

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret for an invalid token."""
        if not _TOKEN.fullmatch(secret):
            raise ForbiddenSecret(_("A Telegram bot’s token is a number, a colon, and letters and digits."))

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the request by which the bot sends or edits a message."""
        text = self.escaped_message(message)
        content = {"chat_id": address, "text": text, "link_preview_options": {"is_disabled": True}}
        more = {"message_id": int(message.edited)} if message.edited else {"disable_notification": not message.is_loud}
        body = json.dumps({**content, **more}, ensure_ascii=False).encode()
        url = f"{settings.TELEGRAM_SERVER}/bot{secret}/{'editMessageText' if message.edited else 'sendMessage'}"
        return OutgoingRequest(url, body, {"Content-Type": "application/json"})

    def read_outcome(self, outcome: Outcome, edited: str = "") -> ChatResult:
        """Return the result of a post. Telegram explains an error in the JSON of its answer."""
        if not isinstance(outcome, Answer) or outcome.status != _BAD_REQUEST:
            return super().read_outcome(outcome, edited)
        description, new_address = _error(outcome.body)
        return ChatResult(
            is_accepted=_IS_UNCHANGED in description,
            message=edited,
            is_message_gone=bool(edited),
            new_address=new_address,
            is_final=not edited and _IS_FINAL.search(description) is not None,
        )

    def message_name(self, answer: Mapping[str, Any]) -> Any:
        return int(answer["result"]["message_id"])


def _error(body: bytes) -> tuple[str, str]:
    """Return the description of an error, and the new number of a group that became a supergroup or a blank text."""
    with suppress(ValueError, AttributeError):
        answer = json.loads(body)
        return str(answer.get("description")), str(answer.get("parameters", {}).get("migrate_to_chat_id", ""))
    return "", ""


CHANNEL: Final = Telegram()
