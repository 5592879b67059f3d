"""Mail that came in, until it has been read; reports of mail that did not arrive."""
