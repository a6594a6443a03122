"""Which reading of an article is taken: the models' own, or trafilatura's fast or default one."""

import numpy as np
import pytest
from lxml import html

from research_crawler.extraction.html.blocks import Block, read_blocks
from research_crawler.extraction.main_text import article_text
from research_crawler.extraction.main_text.article_text import ArticleReading, read_article

TEXT = [
    f"Paragraph {n} of the story says what the miller did in year {1800 + n}, and why." for n in range(20)
]
PAGE = "<html><body><article><h1>The mill</h1>{}</article></body></html>"
ROOT = html.document_fromstring(PAGE.format("".join(f"<p>{text}</p>" for text in TEXT)))
BLOCKS = read_blocks(ROOT.body)
ALL = list(range(len(BLOCKS)))


def read(sureness: float, *, blocks: list[Block] = BLOCKS) -> ArticleReading:
    rates = np.full(len(blocks), sureness, dtype=np.float32)
    return read_article(ROOT, blocks, rates, list(range(len(blocks))))


@pytest.fixture
def readings(monkeypatch):
    """Sets how many paragraphs the fast and the default mode find, and lists the modes that were asked."""
    asked: list[str] = []

    def find(*, fast: int, default: int) -> list[str]:
        counts = {True: fast, False: default}

        def found(root: object, *, fast: bool) -> list[Block]:
            asked.append("fast" if fast else "default")
            return BLOCKS[1 : 1 + counts[fast]]

        monkeypatch.setattr(article_text, "_trafilatura_blocks", found)
        return asked

    return find


def texts(reading: ArticleReading) -> list[str]:
    return [block.text for block in reading.blocks or () if block.kind != "heading"]


def test_an_article_that_the_models_are_sure_of_is_read_without_trafilatura(readings):
    asked = readings(fast=20, default=20)
    assert read(0.97) == ArticleReading(None)
    assert asked == []


def test_trafilatura_reads_an_article_that_the_models_are_not_sure_of():
    reading = read(0.6)
    assert texts(reading) == TEXT
    assert not reading.is_part


def test_the_default_mode_decides_where_the_fast_one_finds_a_fraction(readings):
    asked = readings(fast=2, default=18)
    assert len(texts(read(0.85))) == 18
    assert asked == ["fast", "default"]


def test_the_models_decide_where_both_modes_find_a_fraction(readings):
    readings(fast=2, default=4)
    assert read(0.85) == ArticleReading(None)


def test_a_fraction_that_no_other_reading_is_sure_to_complete_is_marked(readings):
    readings(fast=5, default=20)
    reading = read(0.6)
    assert len(texts(reading)) == 5
    assert reading.is_part


def test_an_article_without_any_chosen_block_is_left_to_trafilatura():
    assert texts(read_article(ROOT, BLOCKS, np.full(len(BLOCKS), 0.3, dtype=np.float32), [])) == TEXT


def test_trafilatura_does_not_read_the_parts_that_the_models_have_ruled_out(monkeypatch):
    menu = "<nav><ul><li><a href='/a'>News</a></li><li><a href='/b'>Sport</a></li></ul></nav>"
    scripts = '<script>track()</script><script type="application/ld+json">{"@type": "Article"}</script>'
    page = (
        PAGE.replace("<article>", f"{menu}<article>")
        .replace("<h1>", scripts.replace("{", "{{").replace("}", "}}") + "<h1>")
        .format("".join(f"<p>{text}</p>" for text in TEXT) + "<p>Read on in <em>the almanac</em>.</p>")
    )
    root = html.document_fromstring(page)
    blocks = read_blocks(root.body)
    rates = np.array([0.001 if block.kind == "item" else 0.6 for block in blocks], dtype=np.float32)
    seen: list[str] = []

    def find(tree: html.HtmlElement, *, fast: bool) -> list[Block]:
        seen.append(html.tostring(tree, encoding="unicode"))
        return blocks[2:]

    monkeypatch.setattr(article_text, "_trafilatura_blocks", find)
    read_article(root, blocks, rates, list(range(len(blocks))))
    assert "Sport" not in seen[0]
    assert "track()" not in seen[0]
    assert '"@type": "Article"' in seen[0]
    assert "the almanac" in seen[0]
    assert TEXT[-1] in seen[0]
    assert "Sport" in html.tostring(root, encoding="unicode")


def test_a_short_post_above_long_comments_is_not_replaced_where_the_models_are_in_doubt(readings):
    asked = readings(fast=4, default=18)
    assert read(0.8).blocks
    assert asked == ["fast"]
