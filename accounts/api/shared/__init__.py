"""Everything that views of accounts share: shapes, problems, and the examples of the description."""
