"""Everything that is made for other sites: the site map, feeds, and cards for links to a page."""
