"""Sparse group Bayesian learning (paper, section 4): arrays only, written for one run, batched by `vmap`."""
