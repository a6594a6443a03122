"""The dashboard of `research serve`: pages to watch and steer jobs, rendered here, over `services/`."""
