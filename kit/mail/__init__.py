"""E-mail: messages, headers, SMTP, and a folder in place of a mail server."""
