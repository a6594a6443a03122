"""Requests of a real node carry what we know of them under one key."""

import json

from research_crawler.frontier.request_state import KEY
from tests.crawler.node_process import META_KEYS

SCRAPYS = {"download_timeout", "download_slot", "download_latency"}


def test_requests_carry_one_key_of_ours_beside_scrapys(running, web):
    fetched = running.fetch(web.hosts["lore"] + "/ember-fern", web.hazards["redirect_chain"])
    assert fetched[0].outcome == "ok"
    running.wait_for(running.push(running.search("ember fern")))
    lines = [
        line.removeprefix(META_KEYS) for line in running.logs().splitlines() if line.startswith(META_KEYS)
    ]
    seen = [set(json.loads(line)) for line in lines]
    assert seen
    assert all(KEY in keys and keys <= {KEY} | SCRAPYS for keys in seen), seen
