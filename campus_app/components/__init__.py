"""Views without state of their own: values and handlers come as arguments."""
