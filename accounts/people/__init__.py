"""Other people: whom somebody blocks or mutes, whose an email address is, and guests, who have no account yet."""
