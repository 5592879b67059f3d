"""The pages of games, for browsers.

Like the API, pages have no rules of their own: they call the same functions and read games through
``games.visibility.access``. The server renders every page, and every page works without scripts. A form is answered
with a redirect. Sending a form twice has one effect, because it contains the id of its question or a key
(``games.pages.posted_forms.once_only``). After an answer, the view itself resolves the game and lets the bots play, for
at most one second. A page of a running game reloads until its reader has a question: when the event stream reports a
change, or without scripts after some seconds.

``config/templates/`` has the base templates (``document.html``, with navigation ``base.html``, for secret links
``sealed.html``) and the error pages. ``config/static/darbar/darbar.css`` is the only stylesheet.
``accounts.web.requests`` activates the language and time zone of the reader: those of the account, or else of the
browser.
"""
