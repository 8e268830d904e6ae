"""The network as mathematics: exact reading, clean-up, refit, and the equation a user sees. No training."""
