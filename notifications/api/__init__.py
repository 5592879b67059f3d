"""Pages and addresses of mail and push: confirmation, unsubscribing, the mailbox."""
