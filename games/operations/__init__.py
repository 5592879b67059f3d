"""What the operator needs: signs of health, and what was set aside."""
