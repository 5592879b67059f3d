"""The facts of Coup that a viewer may know: views, the gate of events, and worlds that look the same."""
