"""The search on samples: an equation at a time, as a regression."""
