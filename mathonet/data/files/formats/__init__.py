"""Formats: text, sheets, arrays and Parquet files become columns of cells."""
