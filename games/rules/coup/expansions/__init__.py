"""What each expansion of Coup adds to the law: Reformation, Inquisitor, Anarchist, the draft for two."""
