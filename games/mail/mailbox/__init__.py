"""Mail to the server's own address: commands for an account, what they do, and what they are answered."""
