"""Measures the detection of blockers on saved pages: recall, false alarms on ordinary pages, time per page.

The data is `blockers`, `articles`, `pages` and `products` under RESEARCH_TEST_DATA (default
`../shared/data`). Every page is checked twice: with its real address and status, and with an unknown address
and status 200.
"""

import gzip
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.figures import Calibration, Figure, counted, timed
from benchmarks.places import DATA
from research_crawler.extraction.blockers.detection import detect_blocker
from research_crawler.extraction.blockers.model import Blocker

ORDINARY = ("articles", "pages", "products")
LEAST_SHARES = {"challenge": 1.0, "login": 0.9, "made blocked": 0.0, "made ordinary": 0.0}
LONGEST_PAGE_MS = 1.0
NOWHERE = "https://example.com/"


@dataclass(frozen=True)
class Saved:
    """A saved page and the group that it belongs to."""

    name: str
    group: str
    body: bytes
    url: str = NOWHERE
    status: int = 200
    text: str = ""
    """Its main text, if the set has it."""

    def look(self, *, known: bool, with_text: bool = False) -> Blocker | None:
        """Run the detector. With `known`, it gets the page's real address and status."""
        url, status = (self.url, self.status) if known else (NOWHERE, 200)
        text = self.text if with_text else None
        return detect_blocker(self.body, url=url, status=status, headers={}, text=text)

    def is_right(self, found: Blocker | None) -> bool:
        """Whether the detector's answer is correct."""
        if self.group == "login":
            return found is not None and found.kind == "login_page"
        return (found is not None) is (self.group in ("challenge", "made blocked"))


def saved_blockers() -> Iterator[Saved]:
    """The labelled pages, in groups: `challenge` and `login` (both real), `made blocked`, `made ordinary`."""
    for line in (DATA / "blockers" / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        group = "made blocked" if row["blocked"] else "made ordinary"
        if row["real"] and row["blocked"]:
            group = "login" if row["kind"] == "login_page" else "challenge"
        body = (DATA / "blockers" / row["file"]).read_bytes()
        url = next(iter(row["source"].split()[1:]), NOWHERE)
        yield Saved(row["id"], group, body, url, row["status"] or 0)


def saved_ordinary() -> Iterator[Saved]:
    """Pages of the other sets, which have no blocker."""
    for kind in ORDINARY:
        truth = json.loads((DATA / kind / "ground-truth.json").read_text("utf-8"))
        for name in sorted(truth):
            body = gzip.decompress((DATA / kind / "html" / f"{name}.html.gz").read_bytes())
            row = truth[name]
            text = row.get("articleBody") or row.get("ground_truth", {}).get("main_content") or ""
            yield Saved(name, kind, body, row.get("url") or NOWHERE, text=text)


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Measure recall by group, false alarms and time."""
    if not (DATA / "blockers").is_dir():
        print(f"no saved pages in {DATA}; set RESEARCH_TEST_DATA")
        return
    blockers, ordinary = list(saved_blockers()), list(saved_ordinary())
    for known in (True, False):
        yield from _found(blockers, known=known)
        yield _false_alarms(ordinary, known=known)
    yield from _times(ordinary, calibration)


def _found(pages: list[Saved], *, known: bool) -> Iterator[Figure]:
    seen = Counter(page.group for page in pages)
    right = Counter(page.group for page in pages if page.is_right(page.look(known=known)))
    condition = "" if known else ", address and status unknown"
    for group, least in LEAST_SHARES.items():
        share = right[group] / seen[group]
        judged = known and least > 0
        yield Figure(
            f"{group} pages recognised{condition}",
            share * 100,
            "%",
            target=f"≥ {least:.0%}" if judged else "",
            ok=share >= least if judged else None,
            note=f"{right[group]} of {seen[group]}",
        )


def _false_alarms(pages: list[Saved], *, known: bool) -> Figure:
    wrong = [page.name[:12] for page in pages if not page.is_right(page.look(known=known))]
    return counted(
        "false alarms on ordinary pages" + ("" if known else ", addresses unknown"),
        len(wrong),
        "pages",
        ok=not wrong,
        target="0",
        note=f"of {len(pages)} {' '.join(wrong[:5])}".rstrip(),
    )


def _times(pages: list[Saved], calibration: Calibration) -> Iterator[Figure]:
    for condition, with_text in (("", False), (" with its text", True)):

        def run(with_text: bool = with_text) -> list[float]:
            return [_time_ms(page, with_text=with_text) for page in pages if page.text or not with_text]

        times_ms, factor = calibration.quietest(run)
        yield timed(
            f"median time of an ordinary page{condition}",
            statistics.median(times_ms),
            "ms",
            most=LONGEST_PAGE_MS,
            factor=factor,
            note=f"mean {statistics.fmean(times_ms):.2f}, max {max(times_ms):.0f} ms, {len(times_ms)} pages",
        )


def _time_ms(page: Saved, *, with_text: bool) -> float:
    begun = time.perf_counter()
    page.look(known=True, with_text=with_text)
    return (time.perf_counter() - begun) * 1_000
