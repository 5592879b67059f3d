"""The settings of drf-spectacular."""

import json
from pathlib import Path
from typing import Any, Final

SETTINGS: Final[dict[str, Any]] = {
    "TITLE": "Darbar",
    "VERSION": "2026-11-29",
    "OAS_VERSION": "3.1.1",
    "LICENSE": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
    "SERVERS": [{"url": "/", "description": "The server that this page comes from."}],
    "APPEND_COMPONENTS": json.loads(Path(__file__).with_name("components.json").read_text()),
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": ["accounts.tokens.OptionalTokenAuthentication"],
    # Public operations do not ask for a token, although they take one.
    "AUTHENTICATION_WHITELIST": ["accounts.tokens.TokenAuthentication"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "games.api.shared.schema.add_games",
        "config.server.api_description.openapi.complete",
        "config.server.api_description.stream_messages.add_stream_messages",
        "config.server.api_description.growth.make_room",
    ],
}
