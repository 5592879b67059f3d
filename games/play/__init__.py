"""The road of a move: submit, judge, store; plans, timeouts, bots and stand-ins."""
