"""Dictionary learning: one file an algorithm."""
