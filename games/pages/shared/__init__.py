"""What the pages share: who looks, what is refused, titles and words."""
