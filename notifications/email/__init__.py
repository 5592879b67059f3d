"""The content of emails: text, HTML, headers and signatures."""
