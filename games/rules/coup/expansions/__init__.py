"""The changes that each expansion of Coup makes to the law: Reformation, Inquisitor, Anarchist, the draft for two."""
