"""Restaurants and menus from CSV files."""
