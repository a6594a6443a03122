"""The crawler side of the research system: frontier, spiders, extraction, adapters, command line."""
