"""Everything that the pages share: viewers, refusals, titles and words."""
