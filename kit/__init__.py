"""What both products stand on; it knows neither of them."""
