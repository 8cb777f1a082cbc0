"""What `ezdl run` shows of a run of Snakemake: a live view in a terminal, otherwise lines."""
