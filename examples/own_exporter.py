"""A format of exports in one function: a finished report becomes a document. It needs neither Redis nor a network.

Declared as an entry point of a package that is installed beside the crawler, every interface offers it:

    [project.entry-points."research_crawler.export_formats"]
    source_rows = "own_exporter:EXPORT"

python examples/own_exporter.py
"""

import asyncio

from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.report import Report
from research_crawler.services.exports.formats import Format
from research_crawler.services.exports.manuscript import Manuscript


async def render(manuscript: Manuscript, _config: Config) -> bytes:
    """The sources as lines of tab-separated values: number, host, address."""
    rows = ("\t".join([str(source.n), source.host, source.url]) for source in manuscript.report.sources)
    return "".join(f"{row}\n" for row in rows).encode()


EXPORT = Format("source_rows", (".rows",), __name__, of_sources=True)


def main() -> None:
    """Render the sources of a small report."""
    source = Source(n=1, title="Hand grinders", url="https://gear.example/grinders", host="gear.example")
    report = Report(
        job="1",
        status="completed",
        state="completed",
        goal="Which hand grinder is light?",
        intent="informational",
        strategy="phase1_only",
        brain="extractive",
        sources=[source],
    )
    print(asyncio.run(render(Manuscript(report), load_system_config())).decode(), end="")


if __name__ == "__main__":
    main()
