"""The pages of games, for browsers.

``games.pages`` and ``accounts.pages`` are doors like the API: they go through ``table``, ``submit``, ``chat`` and
``accounts.authentication.flows``, see a game through ``games.visibility.access``, and add no rule. Every page is made
by the server and works without scripts. A form is answered with a redirect; sent twice it has one effect, because it
carries the question's id or a key of its own (``games.pages.shared.views.once_only``). After an answer the page
itself has it resolved and lets the bots play, for at most a second. Until its reader is asked, a page looks again: when
the event stream says so, and without scripts after some seconds, more of them where people are waited for.

``config/templates/`` holds the frame (``document.html``; with navigation ``base.html``; behind secret links
``sealed.html``) and the error pages, ``config/static/darbar/darbar.css`` the one look: light and dark, both
directions, no style elsewhere. ``accounts.web.reader`` gives each page its reader's language and time zone: the
account's, else the browser's. The form in which a table is opened follows from the option type of its game
(``games.pages.lobby.new_game_form``), so that a new game needs no template.
"""
