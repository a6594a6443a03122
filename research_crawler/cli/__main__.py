"""`python -m research_crawler.cli`: the command `research`."""

from research_crawler.cli.main import main

main()
