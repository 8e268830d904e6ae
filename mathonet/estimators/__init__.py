"""Estimators in the manner of scikit-learn, and `load`; `mathonet` has their public names."""
