"""Tournaments: people play in rounds, in games that the server creates for them.

``core`` has the rules: who plays with whom, what a game gives, and who stands where. It is pure. ``new_tournament``
checks and stores one, ``rights`` says who sees it and who runs it, ``organizing`` changes, begins and cancels it, and
``entering`` and ``leaving`` have what people do who take part. ``progress`` reads how far it is, for ``core`` and for
its readers. ``audit`` draws a tournament again and compares.

A tournament is public, or a club's: then only its members see it and its games, and who was drawn in it. Its seed is
made with it, and bound by a commitment that everybody sees from then on; who enters is not known yet. With a public
beacon the first round waits for a number that nobody could know before. When it is over the seed is shown, and
everybody can draw its rounds again.

A season of a league is a tournament with divisions, and ``seasons`` opens the next one.

The chat of a club hears of its tournaments: ``post_words`` has the words, and ``posting`` sends them.

``sweep`` looks at a tournament when it is to begin, when one of its games is over, and when a round's time is.
``rounds`` takes it one step on, under the lock of its row and in one transaction: what was done twice or at once is
done once. A round ends when all of its games are over. At its published time it ends all the same: the games that go
on are a draw for everybody who plays in them.

What somebody who is absent loses in a game is decided by the game's own terms: a bot sits in, and their place is the
last one. So it is for whoever leaves the server, whose seat a bot takes over. Two such games in a row end their part
in the tournament.
"""
