"""The interfaces beside the command line: each calls `services/` with typed requests and has no logic of its own."""
