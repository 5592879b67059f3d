"""ntfy (https://docs.ntfy.sh/publish/#publish-as-json): a message to a topic of the reader."""
