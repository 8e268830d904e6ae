"""Measurements on their way to a regression problem."""
