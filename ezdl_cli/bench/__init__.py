"""Measurements of speed, as ratios to a limit or to a peer in the same run."""
