"""The super-graph of mathematical operations as a pytree: MathONet, its masks and its groups."""
