#error Thrust takes a copy of its own
