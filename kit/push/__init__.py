"""Web Push: subscriptions of browsers, the server's key, and encrypted messages (RFC 8030)."""
