"""What was measured: smoothed states, their noise, outliers, and the path through them."""
