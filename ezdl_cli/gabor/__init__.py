"""The Gabor model and its fit to atoms."""
