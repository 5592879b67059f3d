"""Everything that an account says about its person: name, password, time zone, sleep hours. No database."""
