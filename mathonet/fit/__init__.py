"""Numbers only: least squares on samples and along paths, and one score for every structure."""
