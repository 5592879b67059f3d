"""Everything that a request meets before a view: limits, headers, problems, outages; and the event stream."""
