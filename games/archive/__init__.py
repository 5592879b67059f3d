"""Games that are over: audit, record, replay, ratings."""
