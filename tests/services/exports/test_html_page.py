"""The HTML export: one file that loads nothing, in which texts of others are text."""

import base64
import hashlib
import re
from itertools import cycle

from hypothesis import given
from lxml import html

from research_crawler.core.text.plain_text import clean_line
from research_crawler.services.exports.manuscript import Manuscript
from research_crawler.services.exports.renderers.html_page import html_document
from tests.cases import each_case
from tests.services.exports.samples import HOSTILE, PLACES, TEXTS, manuscript_with, report_with

TAGS = {
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "br", "ol", "ul", "li",
    "blockquote", "q", "cite", "bdi", "span", "a", "section", "footer", "strong", "em", "code", "pre", "hr", "table",
    "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "id", "class", "href", "rel", "value", "tabindex", "role",
    "aria-describedby",
}  # fmt: skip


def tree_of(manuscript: Manuscript) -> html.HtmlElement:
    return html.document_fromstring(
        html_document(manuscript).encode(), parser=html.HTMLParser(encoding="utf-8")
    )


def check(manuscript: Manuscript) -> html.HtmlElement:
    """What holds for every page: our tags and attributes, links to known addresses and inside, nothing loaded."""
    tree = tree_of(manuscript)
    assert {element.tag for element in tree.iter() if isinstance(element.tag, str)} <= TAGS
    assert {name for element in tree.iter() for name in element.attrib} <= ATTRIBUTES
    ids = tree.xpath("//@id")
    assert len(set(ids)) == len(ids)
    inside = {f"#{name}" for name in ids}
    assert set(tree.xpath("//@href")) <= inside | manuscript.addresses
    assert {f"#{name}" for name in tree.xpath("//@aria-describedby")} <= inside
    (style,) = tree.xpath("//style/text()")
    assert not re.search(r"url\(|@import|expression", style)
    return tree


@each_case(("text", "of"), list(zip(HOSTILE, cycle(["pumps", "laptops"]), strict=False)))
def test_hostile_text_is_shown_and_makes_nothing(text, of):
    manuscript = manuscript_with(text, of=of)
    tree = check(manuscript)
    shown = " ".join(tree.text_content().split())
    assert clean_line(text)[:800] in shown
    assert tree.findtext(".//title") == manuscript.report.goal


@given(TEXTS, PLACES)
def test_no_text_makes_anything_of_its_own(text, of):
    check(manuscript_with(text, of=of))


def test_an_address_that_is_not_of_the_web_is_no_link():
    report = report_with()
    sources = [source.model_copy(update={"url": "javascript:alert(1)"}) for source in report.sources]
    tree = tree_of(Manuscript(report.changed(sources=sources)))
    assert not [href for href in tree.xpath("//@href") if "javascript" in href]


def test_who_gets_the_file_sees_first_what_came_of_it_and_whether_anything_was_checked():
    report = report_with().changed(outcome="partly")
    (top,) = tree_of(Manuscript(report)).xpath("//h1/following-sibling::*[1]")
    assert top.text_content().startswith("answered in part")
    assert "no model has read or compared them" in top.text_content()
    checked = tree_of(Manuscript(report.changed(check_note="3 of 4 sentences say what their quotes say.")))
    assert "3 of 4 sentences" in checked.xpath("//h1/following-sibling::*[1]")[0].text_content()


def test_the_policy_allows_the_pages_own_style_and_nothing_else():
    page = html_document(manuscript_with())
    style = re.search(r"<style>(.*)</style>", page, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in page


def test_a_mark_leads_to_its_source_and_has_the_quotes_that_its_sentence_rests_on():
    tree = check(manuscript_with())
    first, second, *_ = tree.xpath("//*[@class='cite']")
    assert first.xpath("./a/@href") == ["#source-1"]
    assert first.xpath(".//q/text()") == ["Heat moves from cold to warm.", "A fan blows air."]
    assert second.xpath(".//q/text()") == ["A fan blows air."]
    assert "Before" in second.text_content()
    assert "After" in second.text_content()


def test_the_mark_of_a_similar_statement_has_the_quote_of_the_other_page():
    tree = check(manuscript_with())
    (similar,) = tree.xpath("//*[@class='cite'][a/@href='#source-2']")
    assert similar.xpath(".//q/text()") == ["The compressor needs power."]


def test_sources_have_their_numbers_their_links_and_their_quotes_for_print():
    tree = check(manuscript_with())
    assert tree.xpath("//section//li/@value") == ["1", "2"]
    assert tree.xpath("//section//a/@href") == ["https://www.a.example/1", "https://b.example/2"]
    assert tree.xpath("//section//q/text()")[:2] == ["Heat moves from cold to warm.", "A fan blows air."]


def test_offers_are_a_table_and_their_addresses_are_links():
    manuscript = manuscript_with(of="laptops")
    tree = check(manuscript)
    assert len(tree.xpath("//table")) >= 1
    assert {product.url for product in manuscript.report.products} & set(tree.xpath("//a/@href"))


def test_the_page_says_its_language():
    assert tree_of(manuscript_with(language="de")).get("lang") == "de"


def test_code_in_a_report_stays_code_and_its_brackets_are_no_citations():
    report = report_with()
    code = report.report_markdown.replace("Certain", "Use `argv[1]`\n\n```\n<b>git</b> clone [1]\n```\n", 1)
    tree = check(Manuscript(report.changed(report_markdown=code)))
    assert tree.xpath("//p/code/text()") == ["argv[1]"]
    assert tree.xpath("//pre/code/text()") == ["<b>git</b> clone [1]\n"]
