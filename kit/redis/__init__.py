"""Redis: pub/sub, and a gate that closes sockets while Redis is down."""
