"""Asks the public beacon for the signature of a round."""

import json
import logging

from django.conf import settings

from games.engine import chain
from notifications.outgoing.http_client import OutgoingRequest, Unreachable, send

logger = logging.getLogger(__name__)


def beacon_key() -> str:
    """The public key of the beacon that this server asks, in hexadecimal."""
    return str(settings.BEACON_KEY) or chain.QUICKNET


def fetch_signature(round: int) -> str | None:
    """The signature of a round, in hexadecimal; None where no source has it, or none that the beacon's key signed.

    All sources are asked and compared. None can give a wrong one: only one signature fits a round and the key.
    """
    given = {source: _fetch(f"{source}/public/{round}") for source in settings.BEACON_URL}
    true = next((each for each in given.values() if chain.is_signed(round, each, beacon_key())), None)
    for source, signature in given.items():
        if signature != true:
            logger.warning("the beacon %s has not given the signature of round %s", source, round)
    return true


def _fetch(url: str) -> str:
    """The signature that a source gives; blank where its answer is none of a beacon."""
    try:
        answer = send(OutgoingRequest(url, b"", {"Accept": "application/json"}, method="GET"))
        told = json.loads(answer.body) if answer.is_accepted else None
    except (Unreachable, ValueError):
        return ""
    signature = told.get("signature") if isinstance(told, dict) else None
    return signature.lower() if isinstance(signature, str) else ""
