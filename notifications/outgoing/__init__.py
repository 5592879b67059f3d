"""The one outgoing HTTP door: to addresses that strangers chose, and never to a place that is not public."""
