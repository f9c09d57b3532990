"""The desk's pages, their events and their parts."""
