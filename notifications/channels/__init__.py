"""The channels by which notifications are delivered, each in a module of its own.

``registry`` finds them: a channel is a module here whose ``CHANNEL`` is an instance of a class in ``base``. The
module's name is the channel's name. The preferences, the API and its description, the settings page and the outbox take
all their information about channels from there.
"""
