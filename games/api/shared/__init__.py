"""Everything that views of games share: shapes, problems, pages of lists, waiting."""
