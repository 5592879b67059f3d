"""The parts of the project that every app may import: database, clock, logs, metrics, traces, tasks and processes."""
