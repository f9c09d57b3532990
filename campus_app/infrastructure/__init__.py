"""What both products stand on: database, outbox, mail, settings, HTTP; it knows neither product."""
