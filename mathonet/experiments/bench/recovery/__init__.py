"""Recovery: known systems of ODEBench and our own, and whether their equations come out."""
