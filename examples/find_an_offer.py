"""Research a product and ask shops for it; then ask more shops, without researching again. It runs offline.

python examples/find_an_offer.py
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from research_crawler.app import JobQuestion, execute_full_research, execute_phase2
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.reports.report import Report
from research_crawler.demo.process import RunningWeb, local_web_process

GOAL = "find me a cheap gaming laptop with an RTX card"


def demo_config(web: RunningWeb, home: str) -> Config:
    """The settings for the demo web and its shops. For the real web, `load_system_config()` is enough."""
    vendors = Path(home, "vendors.toml")
    vendors.write_text(web.vendors_toml())
    return load_system_config(
        home=home,
        searxng_url=web.search,
        providers=["searxng"],
        vendors_file=str(vendors),
        allow_private_hosts=["127.0.0.0/8"],
        phase1_visit_delay_seconds=0,
    )


def print_offers(report: Report) -> None:
    """Print what was recommended, and how many offers it was chosen from."""
    if report.phase2 and report.phase2.recommendation:
        print(report.phase2.recommendation)


async def research(config: Config) -> None:
    """Both phases; then the second one again with what the first has found."""
    first = await execute_full_research(JobQuestion(goal=GOAL, vendors=2), config=config)
    print_offers(first)
    print_offers(await execute_phase2(JobQuestion(vendors=3), config=config, phase1=first.job))


def main() -> None:
    """Run the jobs in this process and delete their data afterwards."""
    with TemporaryDirectory() as home, local_web_process() as web:
        asyncio.run(research(demo_config(web, home)))


if __name__ == "__main__":
    main()
