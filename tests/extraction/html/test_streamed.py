import time

import pytest
from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.html_to_markdown import to_markdown
from research_crawler.extraction.html.tree import drop_hidden, parse_html
from research_crawler.extraction.page import read_page
from tests.cases import each_case

BOUNDARY = (
    '<main><h1>Kettles</h1><!--$?--><template id="B:0"></template><p>Loading…</p><!--$--><i>wait</i><!--/$-->'
    "<!--/$--><p>The end.</p></main>"
)
SEGMENT = (
    '<div hidden id="S:0"><p>It boils<template id="P:1"></template> fast.</p></div>'
    '<div hidden id="S:1"><b> very</b></div>'
)
CALLS = '<script>$RS=function(){};$RS("S:1","P:1")</script><script>$RC("B:0","S:0")</script>'


def shown(markup: str) -> str:
    root = parse_html(markup)
    drop_hidden(root)
    return to_markdown(read_blocks(root.body))


def test_a_streamed_part_stands_where_its_placeholder_was_and_the_fallback_is_gone():
    assert shown(BOUNDARY + SEGMENT + CALLS) == "# Kettles\n\nIt boils very fast.\n\nThe end."


def test_a_part_that_no_call_moves_stays_hidden():
    assert shown(BOUNDARY + SEGMENT) == "# Kettles\n\nLoading…\n\nwait\n\nThe end."


@pytest.mark.parametrize(
    "markup",
    [
        '<p>a</p><template id="B:0"></template><p>c</p><div hidden id="S:0"><p>b</p></div>'
        '<template data-rci data-bid="B:0" data-sid="S:0"></template>',
        '<p>a</p><template id="pl-0"></template>wait<!--pl-0--><p>c</p><template id="0"><p>b</p></template>'
        '<script>$df("0")</script>',
        "<p>a</p><x-b><template shadowrootmode=open><p>b</p></template></x-b><p>c</p>",
    ],
    ids=["React with its own script", "Solid", "declarative shadow root"],
)
def test_other_ways_to_stream_are_read_too(markup):
    assert shown(markup) == "a\n\nb\n\nc"


def test_the_shadow_root_of_a_menu_stays_a_menu():
    assert shown("<p>a</p><x-nav><template shadowrootmode=open><p>Shop</p></template></x-nav>") == "a"


def test_a_page_is_read_with_its_streamed_text():
    text = "The A1 boils a litre in two minutes, measured three times with water from the tap. " * 4
    late = f'<div hidden id="S:0"><h2>Measured</h2><p>{text}</p></div>{CALLS}'
    page = f"<html><body>{BOUNDARY.replace('The end.', text.replace('A1', 'B2'))}{late}</body></html>"
    read = read_page(page.encode(), url="https://kettles.example/a1", headers={})
    assert "## Measured" in read.markdown
    assert read.text.index("The A1") < read.text.index("The B2")


@each_case(
    "markup",
    [
        '<div hidden id="S:0"><template id="B:0"></template>a</div><script>$RC("B:0","S:0")</script>',
        '<template id="B:0"></template><script>$RC("B:0","B:0");$RC("B:0","none");$RC("none","S:0")</script>',
        '<p id="B:0">a</p><div hidden id="S:0">b</div><script>$RC("B:0","S:0")</script>',
        "<p>a<!-- c --> b</p><script>$RC('x','y')</script>",
    ],
)
def test_calls_that_name_nothing_to_move_change_nothing(markup):
    assert "c" not in shown(markup)
    assert "b" not in shown(markup).replace("a b", "")


def test_a_chain_of_streamed_parts_makes_no_endless_tree():
    inner = "<div>" * 100 + '<template id="B:{}"></template>' + "</div>" * 100
    parts = "".join(f'<div hidden id="S:{n}">{inner.format(n + 1)}</div>' for n in range(500))
    calls = "".join(f'$RC("B:{n}","S:{n}");' for n in reversed(range(500)))
    started = time.process_time()
    root = parse_html(f'<p>a</p><template id="B:0"></template>{parts}<script>{calls}</script>')
    assert max(len(list(element.iterancestors())) for element in root.iter()) <= 260
    assert html.tostring(root)
    assert time.process_time() - started < 10
