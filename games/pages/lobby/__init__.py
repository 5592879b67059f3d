"""Home, rules, open games, and creating or joining one."""
