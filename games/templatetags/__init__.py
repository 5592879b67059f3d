"""Times, numbers and names in templates."""
