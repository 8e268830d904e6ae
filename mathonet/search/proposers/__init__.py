"""Proposers: each knows one way to forms that may be the law; the loop fits and keeps them."""
