"""Interfaces (Protocols) that adapters and the crawler implement, and that everything else calls."""
