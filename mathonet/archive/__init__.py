"""Runs on disk: folders, journals, JSON and NPZ."""
