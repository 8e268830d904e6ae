"""The search: objectives, proposers, a front of what was met."""
