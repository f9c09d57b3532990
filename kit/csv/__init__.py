"""CSV files that people write with spreadsheets: their encoding, their rows, what was damaged."""
