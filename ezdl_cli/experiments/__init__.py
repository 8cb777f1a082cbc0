"""The paper's experiments: they compute tables and draw nothing."""
