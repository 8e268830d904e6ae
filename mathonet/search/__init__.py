"""The search: forms are proposed, fitted and compared, on samples and on the measured path."""
