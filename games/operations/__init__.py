"""Tools of the operator: signs of health, and work that was set aside."""
