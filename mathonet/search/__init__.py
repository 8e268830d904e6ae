"""Choosing terms: what each would bring to a fit, and polynomials by whole blocks."""
