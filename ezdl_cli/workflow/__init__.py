"""The Snakemake rules of the pipeline, by stage, and the Python code that they share."""

from pathlib import Path

RULES = Path(__file__).parent
