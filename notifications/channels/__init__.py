"""The channels by which notifications are delivered, each in a folder of its own.

``registry`` finds them: a folder with a module ``channel`` whose ``CHANNEL`` is an instance of a class in ``base``. The
folder's name is the channel's name. The preferences, the API and its description, the settings page and the outbox take
all their information about channels from there.
"""
