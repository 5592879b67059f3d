"""The games as other libraries know games, for people who train programs: each adapter needs an extra of its own."""
