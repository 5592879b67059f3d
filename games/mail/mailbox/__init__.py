"""Email to the server's own address: commands for an account, their effects and the replies."""
