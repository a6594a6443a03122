"""Tests of reading JSON-LD that is not quite JSON or that a script adds, and the state of scripts."""

import pytest

from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.price.reader import Numerals
from research_crawler.extraction.products.structured.json_ld import load_json
from research_crawler.extraction.products.structured.script_state import script_products
from tests.cases import each_case

EURO = Numerals.of(language="de", tld="de")


@each_case(
    "text",
    [
        '{"name": "Mug"}',
        '<!-- {"name": "Mug"} -->',
        '//<![CDATA[\n{"name": "Mug"}\n//]]>',
        '{"name": "Mug",}',
        '{"name": "Mug"};',
        "{&quot;name&quot;: &quot;Mug&quot;}",
        "{'name': 'Mug'}",
    ],
)
def test_json_that_is_not_quite_json_is_read(text):
    assert load_json(text) == {"name": "Mug"}


def test_control_characters_in_strings_are_tolerated():
    assert load_json('{"name": "a\nb"}') == {"name": "a\nb"}


def test_a_text_that_is_not_json_gives_none():
    assert load_json("var x") is None


def mentions(script: str, kind: str = ""):
    root = parse_html(f"<html><body><script {kind}>{script}</script></body></html>")
    return list(script_products(root, EURO))


@pytest.mark.parametrize(
    "script",
    [
        'window.__STATE__ = {"a": {"product": {"name": "Mug", "sku": "M-100", "price": 12.5, "currency": "EUR"}}};',
        'dataLayer.push({"items": [{"item_name": "Mug", "item_id": "M-100", "price": "12.50", "currency": "EUR"}]});',
    ],
)
def test_a_product_is_found_by_shape_in_any_kind_of_script(script):
    found = mentions(script)
    assert [
        (one.name, one.sku, float(one.price.amount), one.price.currency) for one in found if one.price
    ] == [("Mug", "M-100", 12.5, "EUR")]


def test_a_price_in_a_nested_object_is_found():
    found = mentions(
        '{"name": "Mug", "price": {"now": "136.00", "currency": "GBP"}}', 'type="application/json"'
    )
    assert [(str(one.price.amount), one.price.currency) for one in found if one.price] == [("136.00", "GBP")]


def test_scripts_without_prices_and_templates_are_ignored():
    assert mentions('window.x = {"name": "Mug", "sku": "M-100"};') == []
    assert mentions('{"name": "Mug", "sku": "M-100", "price": 3}', 'type="text/x-template"') == []


def test_entries_with_their_own_prices_are_variants_of_the_product_above_them():
    [mug, *_] = mentions(
        'window.s = {"product": {"name": "Mug", "sku": "M-1", "price": 12.5, "currency": "EUR", "variants": ['
        '{"title": "small", "price": 12.5, "sku": "M-1-S", "available": true}, {"size": "large", "color": "red",'
        ' "price": {"value": 15}, "available": false}, {"title": "no price"}, 7]}};'
    )
    assert [(one.variant, str(one.price.amount), one.sku, one.availability) for one in mug.variants] == [
        ("small", "12.5", "M-1-S", "in_stock"),
        ("large, red", "15", "", "out_of_stock"),
    ]


@each_case("variants", ["[]", '"none"', "null", '{"a": 1}', "[[1]]"])
def test_an_invalid_list_of_variants_is_tolerated(variants):
    [mug] = mentions(f'window.s = {{"name": "Mug", "sku": "M-1", "price": 12.5, "options": {variants}}};')
    assert mug.variants == []
