"""The groups of benchmarks, one file per part of the package, with their limits, peers and data."""
