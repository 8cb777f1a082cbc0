"""Code shared by several subcommands."""
