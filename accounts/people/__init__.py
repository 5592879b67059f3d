"""Relations between accounts (blocks, mutes, follows), owners of email addresses, and guests."""
