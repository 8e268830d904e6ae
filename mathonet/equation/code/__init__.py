"""Equations as source code of other languages."""
