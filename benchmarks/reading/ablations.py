"""Measures what each step after the models pays for the main text, with models that have not seen the page's site.

`python -m benchmarks.reading.ablations [STEP …]` reads every saved page once, switches one step off at a time, and
prints F1 of words by kind with and without it, with the standard error over sites. `pages/` and `articles/` are the
sets that no rule after the models was written from; `pages-more/` is the one that they were written from.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt
from typing import Any

from benchmarks.reading.page_folds import FOLDS, SAVED, fold_weights, folds_of_pages, site_name, weights_from
from benchmarks.reading.page_labels import load_score
from benchmarks.reading.pages import HTML, Saved
from research_crawler.extraction.html import blocks as html_blocks
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.finish import finished
from research_crawler.extraction.html.html_to_markdown import to_text
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text import read
from research_crawler.extraction.main_text.article_text import ArticleReading
from research_crawler.extraction.main_text.blocks import block_choice, whole_parts
from research_crawler.extraction.metadata.page_facts import read_meta


@dataclass(frozen=True)
class Step:
    """A step that can be left out: what stands in its place, by module and name."""

    name: str
    patches: tuple[tuple[Any, str, Any], ...]
    prepares: bool = False
    """Whether the step comes before the models, so that the page is read anew without it."""


def _same(_: Any, chosen: Any, *__: Any, **___: Any) -> Any:
    return chosen


def _first(value: Any, *_: Any, **__: Any) -> Any:
    return value


STEPS: tuple[Step, ...] = (
    Step("page title", ((read, "with_title", lambda view, rates, chosen: list(chosen)),)),
    Step("code and tables of manuals", ((read, "with_code_and_tables", _same),)),
    Step("headings above", ((read, "with_headings", _same),)),
    Step("repeats in threads", ((read, "without_repeats", _same),)),
    Step("whole parts", ((read, "keep_whole", lambda blocks, chosen, **_: list(chosen)),)),
    Step("whole parts: terms", ((whole_parts, "_terms", lambda *_: set()),)),
    Step("whole parts: tables", ((whole_parts, "_whole_tables", lambda blocks, ordered, places: ordered),)),
    Step("copies", ((read, "without_copies", list),)),
    Step("smoothing", ((read, "smooth_rates", lambda view, rates, kinds: rates),)),
    Step("interface", ((block_choice, "is_interface", lambda view: view.rows[:, 0] < 0),)),
    Step("articles by trafilatura", ((read, "read_article", lambda *_: ArticleReading(None)),)),
    Step("superscripts", ((html_blocks, "raised", lambda element, text, before: text),), prepares=True),
    Step("silent parts", ((html_blocks, "is_silent", lambda *_: False),), prepares=True),
)

Row = tuple[str, str, str]
"""Set, kind and site of a page."""


def _tree(body: bytes) -> Any:
    return parse_html(decode_page(body, HTML)[0])


@contextmanager
def _replaced(patches: Sequence[tuple[Any, str, Any]]) -> Iterator[None]:
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in patches]
    for owner, name, value in patches:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in kept:
            setattr(owner, name, value)


def _remembered(work: Callable[..., Any], key: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[Any, Any] = {}

    def remembering(*values: Any) -> Any:
        place = key(*values)
        if place not in known:
            known[place] = work(*values)
        return known[place]

    return remembering


def texts_of(body: bytes, url: str, steps: Sequence[Step]) -> dict[str, str]:
    """The main text of a page as it is read, and without each of the steps."""
    root = _tree(body)
    meta = read_meta(root)
    page = read.prepare_page(root, url, meta)
    shared = (
        (read, "prepare_page", lambda *_: page),
        (read, "rate_blocks", _remembered(read.rate_blocks, lambda *_: 0)),
        (read, "read_article", _remembered(read.read_article, lambda *values: tuple(values[3]))),
    )
    with _replaced(shared):
        found = {"": _text(root, url, meta)}
        for step in steps:
            if not step.prepares:
                with _replaced(step.patches):
                    found[step.name] = _text(root, url, meta)
    for step in steps:
        if step.prepares:
            with _replaced(step.patches):
                found[step.name] = _text(_tree(body), url, meta)
    return found


def _text(root: Any, url: str, meta: Mapping[str, str]) -> str:
    return finished(to_text(read.read_main_text(root, url, meta).blocks))


def rows(steps: Sequence[Step]) -> Iterator[tuple[Row, dict[str, float]]]:
    """For each saved page: F1 of its text by step that is left out."""
    score = load_score()
    fold_of = folds_of_pages()
    for folder in SAVED:
        saved = Saved.load(folder)
        for fold in range(FOLDS):
            with weights_from(fold_weights(fold)):
                for name in sorted(saved.truth):
                    if fold_of[folder, name] != fold:
                        continue
                    texts = texts_of(saved.bodies[name], saved.url(name), steps)
                    known = {
                        text: _f1(score, folder, saved.truth[name], text) for text in set(texts.values())
                    }
                    kind = saved.truth[name].get("page_type", "article")
                    row = (folder, kind, site_name(saved.url(name)))
                    yield row, {step: known[text] for step, text in texts.items()}


def _f1(score: Any, folder: str, truth: Mapping[str, Any], text: str) -> float:
    if folder == "articles":
        return float(score.score_articles({"": truth}, {"": text})["articles"]["f1"])
    return float(score.score_pages({"": truth}, {"": text})["all"]["f1"])


def main(names: Sequence[str]) -> None:
    """Print the table."""
    steps = [step for step in STEPS if not names or step.name in names]
    groups: dict[tuple[str, str], list[tuple[str, dict[str, float]]]] = defaultdict(list)
    for (folder, kind, site), found in rows(steps):
        groups[folder, kind].append((site, found))
    for group, pages in sorted(groups.items()):
        mean = sum(found[""] for _, found in pages) / len(pages)
        print(f"{' / '.join(group)}: {len(pages)} pages, F1 {100 * mean:.2f}")
    for step in steps:
        print(f"\n{step.name}")
        for group, pages in sorted(groups.items()):
            changed = sum(found[""] != found[step.name] for _, found in pages)
            if changed:
                gain, error = _gain([(site, found[""] - found[step.name]) for site, found in pages])
                print(f"    {' / '.join(group)}: {100 * gain:+.2f} ± {100 * error:.2f}, {changed} pages")


def _gain(gains: Sequence[tuple[str, float]]) -> tuple[float, float]:
    """The mean over pages, and its standard error over sites."""
    by_site: dict[str, list[float]] = defaultdict(list)
    for site, gain in gains:
        by_site[site].append(gain)
    mean = sum(gain for _, gain in gains) / len(gains)
    spread = sum((sum(own) - mean * len(own)) ** 2 for own in by_site.values())
    return mean, sqrt(spread) / len(gains)


if __name__ == "__main__":
    main(sys.argv[1:])
