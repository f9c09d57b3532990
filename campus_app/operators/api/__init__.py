"""This room's operations of the HTTP interface."""
