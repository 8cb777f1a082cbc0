"""One file a subcommand: parse, call, save."""
