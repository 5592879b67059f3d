"""The personal data of an account: name, password, time zone, sleep hours. No database access."""
