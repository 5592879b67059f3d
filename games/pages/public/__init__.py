"""Everything that is made for other sites: the map of the pages that may be found, and cards for links to a page."""
