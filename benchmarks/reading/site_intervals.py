"""95 % intervals of means over pages, by drawing whole sites: the pages of a site are alike."""

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import fmean

from benchmarks.figures import percentile
from benchmarks.reading.page_folds import site_name

DRAWS = 1_000


def interval(
    urls: Mapping[str, str], measure: Callable[[Sequence[str]], float], draws: int = DRAWS
) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile of a measure over pages, if the sites are drawn again with replacement.

    Args:
        urls: the URL of each page.
        measure: maps page names, of which some come several times, to a number.
        draws: how often the sites are drawn.
    """
    sites: dict[str, list[str]] = defaultdict(list)
    for name in sorted(urls):
        sites[site_name(urls[name])].append(name)
    draw = random.Random(1)
    listed = sorted(sites)
    found = []
    for _ in range(draws):
        found.append(measure([name for site in draw.choices(listed, k=len(listed)) for name in sites[site]]))
    return percentile(found, 0.025), percentile(found, 0.975)


def mean_of_kinds(
    names: Sequence[str], kind_of: Mapping[str, Hashable], values: Mapping[str, float]
) -> float:
    """The mean over kinds of the mean over their pages."""
    of_kind: dict[Hashable, list[float]] = defaultdict(list)
    for name in names:
        of_kind[kind_of[name]].append(values[name])
    return fmean(map(fmean, of_kind.values())) if of_kind else 0.0
