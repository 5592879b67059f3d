"""The visibility of facts in Coup: views, the filter of events, and worlds that look the same."""
