"""What was found: the choice, how far to trust it, its rivals, its uncertainty."""
