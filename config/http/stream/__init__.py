"""The event stream over HTTP, as programs and pages find it."""
