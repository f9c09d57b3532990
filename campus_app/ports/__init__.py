"""What the services need from outside, stated as needs; the adapters meet them."""
