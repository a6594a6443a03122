"""The command line. Each file has one group of commands, which parse options, call the services and print."""
