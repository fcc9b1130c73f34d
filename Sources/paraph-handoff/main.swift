// Comes with the pad.
