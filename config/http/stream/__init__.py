"""The event stream over HTTP, for programs and pages."""
