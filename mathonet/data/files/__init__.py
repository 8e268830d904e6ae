"""Tables in files: read, understood, and made into trajectories. `table.read_table` is the front door."""
