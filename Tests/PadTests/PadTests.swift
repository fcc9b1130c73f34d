// Comes with the first test of this target.
