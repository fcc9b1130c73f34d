"""A virtual machine with a real kernel, a panel and a touchscreen. Python's standard library only."""
