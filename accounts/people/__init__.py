"""Relations between accounts (blocks, mutes, follows), the owners of email addresses, and guests."""
