"""The command line of a project that has `hive.py` beside its own providers, and a line for it in the registry."""

from pathlib import Path

from research_crawler.cli.main import main
from research_crawler.engines import providers, registry

if __name__ == "__main__":
    providers.__path__.append(str(Path(__file__).parent))
    registry.FILES = (*registry.FILES, "hive")
    main()
