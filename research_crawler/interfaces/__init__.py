"""The ways in beside the command line, one package each. They call `services` and have no logic of their own."""
