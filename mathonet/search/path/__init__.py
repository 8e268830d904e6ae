"""The search on a measured path: a whole system at a time, judged by what was measured."""
