"""A node killed at each of its failpoints: the ledger is that of an undisturbed run.

The ledger: which commands were settled, how, and how often; and that nothing is left behind.
"""

import threading
from pathlib import Path

import pytest

from research_crawler.core.models.messages.events import CommandDone
from tests.crawler.crawl import Crawl

POINTS = (
    "after-lease:1",
    "after-permit:2",
    "after-bytes:2",
    "after-page-write:1",
    "after-stored:2",
    "before-settle:2",
    "after-settle:2",
)


class Run(threading.Thread):
    """The same commands on a Redis of their own, the first node killed at a failpoint."""

    def __init__(self, home: Path, redis_url: str, urls: list[str], point: str) -> None:
        super().__init__()
        home.mkdir()
        self.crawl, self.urls, self.point = Crawl(home, redis_url), urls, point
        self.events: dict[str, CommandDone] = {}
        self.problem: BaseException | None = None

    def run(self) -> None:
        try:
            self.go()
        except BaseException as error:
            self.problem = error

    def go(self) -> None:
        crawl = self.crawl
        visits = {url: crawl.visit(url) for url in self.urls}
        if self.point:
            with crawl.node(failpoint=self.point) as node:
                crawl.push(*visits.values())
                crawl.wait_until(lambda: node.process.poll() is not None, 120)
                assert node.process.returncode == -9
        else:
            crawl.push(*visits.values())
        with crawl.node():
            found = crawl.wait_for([visit.id for visit in visits.values()], 150)
            crawl.check_empty()
            assert len(crawl.mail()) == len(visits)
        self.events = {url: found[visit.id] for url, visit in visits.items()}

    def ledger(self) -> dict[str, tuple[str, str, str, str]]:
        return {
            url: (event.outcome, event.reason.text, event.page.final_url, event.page.sha) if event.page
            else (event.outcome, event.reason.text, "", "")
            for url, event in self.events.items()
        }  # fmt: skip


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_ledger_is_the_same_wherever_the_node_is_killed(kept_redis, local_web, tmp_path):
    lore, hazards = local_web.hosts["lore"], local_web.hazards
    urls = [f"{lore}/ember-fern", f"{lore}/ember-moss", local_web.hosts["forum"] + "/"]
    urls += [hazards["redirect_chain"], hazards["not_found"], hazards["robots_disallowed"], hazards["empty"]]
    runs = [
        Run(tmp_path / (point or "plain").replace(":", "-"), kept_redis, urls, point)
        for point in ("", *POINTS)
    ]
    for group in (runs[:4], runs[4:]):
        for run in group:
            run.start()
        for run in group:
            run.join()
    undisturbed = runs[0].ledger()
    assert [undisturbed[url][:2] for url in urls] == [
        *[("ok", "")] * 4, ("refused", "http 404"), ("refused", "robots"), ("failed", "empty")
    ]  # fmt: skip
    for run in runs:
        assert run.problem is None, (run.point, run.problem, run.crawl.logs())
        assert run.ledger() == undisturbed, run.point
        run.crawl.close()
