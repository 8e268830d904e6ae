"""Numbers only: one least-squares engine and one score for every structure, compiled once."""
