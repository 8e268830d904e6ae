"""Times: dates, clocks and numbers in columns, and which column is the time."""
