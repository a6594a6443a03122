"""Runs the command `research` for `python -m research_crawler.cli`."""

from research_crawler.cli.main import main

main()
