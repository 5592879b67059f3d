"""The pages of the operator and the moderators at ``/admin/``: Django's admin with nothing in it but what is here.

No hand, seed, snapshot, event or move is ever shown, nor what notifications and mails say: whoever runs a server
plays at it too. Moderators see reports, with the evidence that was given; what people wrote to each other is shown
nowhere else.
"""

from games.administration.site import site

__all__ = ["site"]
