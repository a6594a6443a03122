"""Ask a question from Python and print the report. It runs offline, with the demo web.

python examples/ask_a_question.py ["QUESTION"]
"""

import asyncio
import sys
from tempfile import TemporaryDirectory

from research_crawler.app import execute_research
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.reports.report import Report
from research_crawler.demo.process import RunningWeb, local_web_process

QUESTION = "What is the best hand coffee grinder for travel?"


def demo_config(web: RunningWeb, home: str) -> Config:
    """The settings for the demo web. For the real web, `load_system_config()` is enough."""
    return load_system_config(
        home=home,
        searxng_url=web.search,
        providers=["searxng"],
        allow_private_hosts=["127.0.0.0/8"],
        phase1_visit_delay_seconds=0,
    )


def print_report(report: Report) -> None:
    """Print the report, its sources, and the first quotes that support its claims."""
    print(report.report_markdown)
    for source in report.sources:
        print(f"source: {source.title} – {source.url}")
    for finding in report.evidence[:3]:
        print(f"quote: “{finding.quote}”")


def main(question: str = QUESTION) -> None:
    """Run one job in this process and delete its data afterwards."""
    with TemporaryDirectory() as home, local_web_process() as web:
        report = asyncio.run(execute_research(question, config=demo_config(web, home)))
    print_report(report)


if __name__ == "__main__":
    main(*sys.argv[1:2])
