"""The one client for outgoing HTTP: to addresses that strangers chose, and never to a place that is not public."""
