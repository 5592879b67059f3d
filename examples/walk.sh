#!/bin/sh
# A game of Skulls of Sedlec against a bot, with curl and sed alone.
#
#     DARBAR_TOKEN=darbar_… sh walk.sh [URL]
#
# It needs a token with the scopes games:read and games:play.
set -eu

api="${1:-http://localhost:8000}/api/v1"

# ask METHOD PATH [BODY]: the answer; a refusal ends the walk.
ask() {
    method=$1 path=$2
    shift 2
    curl -sS --fail-with-body --retry 3 -X "$method" "$api/$path" -H "Authorization: Bearer $DARBAR_TOKEN" \
        -H 'Content-Type: application/json' -H "Prefer: wait=10" ${1:+-d "$1"}
}

# first NAME: the first text of this name in the JSON that is read.
first() {
    tr ',{}' '\n\n\n' | sed -n "s/^ *\"$1\": *\"\([^\"]*\)\".*/\1/p" | head -n 1
}

game=$(ask POST games/ '{"rules": "sedlec", "seat_count": 2, "bots": [{}]}' | first id)
echo "table $game"

while [ "$(ask GET "games/$game/" | first state)" = running ]; do
    question=$(ask GET "games/$game/questions/" | first id)
    if [ -n "$question" ]; then
        # 1 is the number of the first answer that is offered.
        ask POST "games/$game/moves/" "{\"question\": \"$question\", \"text\": \"1\"}" | first state
    fi
done

ask GET "games/$game/events/" | tr '{' '\n' | sed -n 's/.*"text": *"\([^"]*\)".*/\1/p' | tail -n 1
