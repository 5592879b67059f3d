"""Public pages: the arena, the privacy page, feeds, the site map, and link preview cards."""
