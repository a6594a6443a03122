"""Reads saved pages of the real web and finds text, passages and quotes in them."""

import gzip
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from research_crawler.core.models.web.pages import PageText
from research_crawler.extraction.evidence.passages import split_passages
from research_crawler.extraction.evidence.quotes import QuoteFinder
from research_crawler.extraction.page import read_page
from research_crawler.text.languages.sentences import sentence_spans

DATA = Path(os.environ.get("RESEARCH_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
pytestmark = pytest.mark.skipif(
    not (DATA / "articles").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)
WORD = re.compile(r"\w+")


def saved(kind: str, *, every: int = 1) -> Iterator[tuple[dict, PageText]]:
    truth = json.loads((DATA / kind / "ground-truth.json").read_text("utf-8"))
    for name in sorted(truth)[::every]:
        body = gzip.decompress((DATA / kind / "html" / f"{name}.html.gz").read_bytes())
        url = truth[name].get("url") or "https://example.com/"
        yield truth[name], read_page(body, url=url, headers={"content-type": "text/html"})


@pytest.fixture(scope="module")
def articles() -> list[tuple[dict, PageText]]:
    return list(saved("articles", every=4))


def word_f1(wanted: str, got: str) -> float:
    wanted_words, got_words = Counter(WORD.findall(wanted.lower())), Counter(WORD.findall(got.lower()))
    common = sum((wanted_words & got_words).values())
    return 2 * common / (sum(wanted_words.values()) + sum(got_words.values()) or 1)


def test_the_main_text_of_articles_is_found(articles):
    scores = [word_f1(truth["articleBody"], page.text) for truth, page in articles]
    assert sum(scores) / len(scores) > 0.95


@pytest.mark.long
def test_pages_of_all_kinds_are_read():
    pages = list(saved("pages", every=4))
    scores = [word_f1(truth["ground_truth"]["main_content"], page.text) for truth, page in pages]
    assert sum(scores) / len(scores) > 0.68
    assert all(page.title and page.language for _, page in pages)


def test_every_sentence_of_a_page_is_found_as_a_quote(articles):
    for _, page in articles[:12]:
        finder = QuoteFinder(page.markdown)
        for start, end in sentence_spans(page.text):
            sentence = page.text[start:end].replace("’", "'").replace("“", '"').replace("”", '"')
            if len(sentence) > 40 and len(sentence) < 1_500:
                place = finder.find(sentence)
                assert place is not None
                assert (
                    page.markdown[slice(*place)].split()[0].strip("|>-#'\"“‘")
                    in sentence.replace("'", "’") + sentence
                )


def test_passages_of_a_page_hold_all_of_its_text(articles):
    for _, page in articles:
        passages = split_passages(page.markdown, lambda text: len(text) // 4 + 1)
        assert sum(map(len, (p.text.split() for p in passages))) == len(page.markdown.split())
        assert max(passage.tokens for passage in passages) <= 180
