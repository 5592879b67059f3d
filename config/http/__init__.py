"""What every request meets: limits, headers, problems, outages; and the event stream."""
