"""Other people: whom somebody blocks or mutes, and whose an email address is."""
