"""Games before their start, and who sits where: create, join, invite, take over, leave.

Invitations:

Who sits at an open table may have anybody invited by their address (``games.lobby.invitations``). The answers go to
an address of their own (``games.mail.invitation_handler``) or come from a page (``games.pages.invitation``):
``join`` seats the owner of the address, with an account made for it, confirmed and without a password, if it has none
(``accounts.people.address_owners``); ``no`` declines; ``never`` leaves nothing of the address but a keyed hash
(``notifications.recipients.deliverability``), and from then on ``notifications.delivery.deliver`` sends nothing
there that is not for an account. Only a confirmed sign-up takes that back.

Whoever invites learns what came of it and nothing else. So an invitation is always taken, and whether it goes out is
decided when its notification is composed (``games.announcements.invitation_emails``): not to an address that said
``never``, not to somebody who sits there already, or who blocks the sender or is blocked by them.
``invitations.INVITATION_LIMITS`` says how many there may be of one sender, to one mailbox (whatever stands behind a
plus sign) and to one domain; the counts are over keyed hashes and the same for all. Addresses are forgotten 30 days
after the invitation, unless it still waits for an answer.
"""
