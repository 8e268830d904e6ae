"""The report: one HTML page that needs nothing but itself, its sections, and a result in a few lines."""
