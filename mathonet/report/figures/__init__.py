"""Figures, one a file, drawn on given axes; `mathonet.report` has their public names."""
