"""This room's pages, their states, and their parts."""
