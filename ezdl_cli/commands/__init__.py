"""One module per subcommand: parse the arguments, call a function, save the result."""
