"""One HTML page with everything that a run of the pipeline has found."""
