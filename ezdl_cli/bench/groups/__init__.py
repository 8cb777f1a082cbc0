"""What is measured: a file for each part of the package, with functions that make groups."""
