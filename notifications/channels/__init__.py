"""The channels by which notifications reach people, one folder each.

``registry`` finds them: a folder here with a module ``channel``, whose ``CHANNEL`` is an instance of one of the classes
in ``base``. The folder's name is the channel's name. The preferences, the API and its description, the settings page
and the outbox take all that they know about channels from there.
"""
