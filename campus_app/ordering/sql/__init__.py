"""This room's tables and stores."""
