"""Columns are filled from what pages say of the subject, and of nothing beside it."""

import hashlib

import pytest

from planner.columns.column_candidates import RowCandidateFinder
from planner.columns.column_input import given_columns
from planner.columns.filling import fill_columns
from planner.columns.value_places import value_places
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.web.pages import (
    OFFER_CONDITION,
    OFFER_PRICE,
    Heading,
    PageText,
    Post,
    StoredPage,
)
from research_crawler.core.vendors import Catalogue, Vendor
from tests.cases import each_case

COLUMNS = given_columns(
    "price: money, What does it cost?\nweight: number in kg, How much does it weigh?\nmail: email, contact"
)


def page(title: str, markdown: str, url: str = "https://a.example/x", **metadata: str) -> StoredPage:
    text = PageText(
        markdown=markdown, text=markdown, title=title, language="en", headings=[Heading(level=1, text=title)],
        metadata=metadata,
    )  # fmt: skip
    return StoredPage(sha=hashlib.sha256(markdown.encode()).hexdigest(), url=url, final_url=url, page=text)


async def filled(*pages: StoredPage, subject: str = "Tarn 300"):
    job = Job(id="j", inputs=JobInputs(goal=f"{subject}: electric bike", subject=subject, columns=COLUMNS))
    return {value.name: value for value in await fill_columns(job, pages, HashEmbedder(), by="extractive")}


async def test_a_value_has_its_quote_its_place_and_its_source():
    found = page("Tarn 300 in detail", "# Tarn 300\n\nThe Tarn 300 costs €1,899.\n\nIt weighs 17.5 kg.")
    values = await filled(found)
    price = values["price"]
    assert (price.value, price.unit, price.shown) == (1899.0, "EUR", "€1,899")
    assert found.page.markdown[price.start : price.end] == price.quote == "The Tarn 300 costs €1,899."
    assert (price.url, price.page_sha256, price.by) == (found.final_url, found.sha, "extractive")
    assert values["weight"].value == 17.5


async def test_what_nothing_supports_is_null_with_the_reason():
    values = await filled(
        page("Tarn 300 in detail", "# Tarn 300\n\nThe Tarn 300 is a fine bike for rainy days.")
    )
    assert all(
        value.value is None and value.reason and value.note and not value.quote for value in values.values()
    )
    assert all(value.reason == "no_pages" for value in (await filled()).values())


async def test_the_values_of_a_sibling_are_not_taken():
    other = page(
        "Tarn 310 in detail",
        "# Tarn 310\n\nThe Tarn 310 costs €999.\n\nIt weighs 14 kg.",
        "https://a.example/y",
    )
    assert [value.value for value in (await filled(other)).values()] == [None, None, None]
    beside = page("Tarn 300 in detail", "# Tarn 300\n\nIt is light.\n\nThe Tarn 310 costs €999.")
    assert (await filled(beside))["price"].value is None


async def test_a_table_of_many_things_gives_the_cell_of_the_own_row():
    head = "| Name | Price | Weight |\n| --- | --- | --- |\n"
    table = head + "| Tarn 310 | €999 | 14 kg |\n| Tarn 300 | €1,899 | 17.5 kg |"
    values = await filled(page("All bikes", table))
    assert (values["price"].value, values["weight"].value) == (1899.0, 17.5)
    assert values["price"].quote == "| Tarn 300 | €1,899 | 17.5 kg |"


async def test_pages_that_disagree_are_told():
    values = await filled(
        page("Tarn 300 in detail", "# Tarn 300\n\nThe Tarn 300 costs €1,899."),
        page("Tarn 300 tested", "# Tarn 300\n\nThe Tarn 300 costs €1,799.", "https://b.example/y"),
    )
    assert values["price"].reason == "contradicted"
    assert "another page says" in values["price"].note
    two = await filled(
        page(
            "Tarn 300 in detail",
            "# Tarn 300\n\nThe Tarn 300 costs €1,899. The Tarn 300 costs €1,999 with a rack.",
        ),
        page("Tarn 300 tested", "# Tarn 300\n\nThe Tarn 300 costs €1,799.", "https://b.example/y"),
    )
    assert two["price"].reason == "contradicted"
    one = await filled(page("Tarn 300 in detail", "# Tarn 300\n\nThe Tarn 300 costs €1,899."))
    assert values["price"].value is None and one["price"].value == 1899.0


@each_case(
    "markdown", ["| a |\n| - |", "|||\n|---|---|\n| x | |", "a:\n\n- b: c", "| a \\| b | 3 kg |\n|---|---|"]
)
def test_any_table_has_spots_whose_quotes_stand_in_the_page(markdown):
    for place in value_places(page("t", markdown)):
        assert place.markdown


async def test_pages_about_other_things_give_nothing_to_a_question_that_names_a_common_noun():
    other = page(
        "The best budget grinders", "# The best budget grinders\n\nIt costs 229 crowns, a fair budget price."
    )
    assert (await filled(other, subject="what is the best budget e-reader"))["price"].value is None


async def test_the_price_at_which_a_page_sells_the_thing_is_taken_and_not_another_amount_on_it():
    text = "# Corva C3 grinder\n\n$329.00 Was $379.00\n\nOrders $39+ ship free!\n\nGift card $50"
    found = page("Corva C3 grinder, black", text)
    sold = page("Corva C3 grinder, black", text, **{OFFER_PRICE: "329.00"})
    for one in (found, sold):
        price = (await filled(one, subject="Corva C3"))["price"]
        assert (price.value, price.unit) == (329.0, "USD")
        assert "$329.00" in price.quote


async def test_a_price_that_a_person_paid_is_a_candidate_and_a_shop_says_what_the_thing_costs():
    paid = page(
        "Tarn 300 owners", "# Tarn 300\n\nI paid 1,900 € for the Tarn 300.", "https://forum.example/t/1"
    )
    thread = paid.changed(page=paid.page.changed(kind="forum"))
    value = (await filled(thread))["price"]
    assert (value.value, value.reason) == (None, "unsure")
    assert "1,900" in value.note
    shop = page("Tarn 300 city bike", "# Tarn 300 city bike\n\nYours for 2,150 €", "https://shop.example/t")
    sold = shop.changed(page=shop.page.changed(kind="product", metadata={OFFER_PRICE: "2150"}))
    price = (await filled(thread, sold))["price"]
    assert (price.value, price.reason) == (2150.0, "")


async def test_a_question_for_a_price_is_read_in_its_own_language():
    paid = page(
        "Tarn 300 Forum", "# Tarn 300\n\nIch habe für das Tarn 300 1.900 € gezahlt.", "https://f.example/t"
    )
    thread = paid.changed(page=paid.page.changed(kind="forum", language="de"))
    columns = given_columns("preis: money, Was kostet es?")
    job = Job(id="j", inputs=JobInputs(goal="Tarn 300", subject="Tarn 300", columns=columns))
    (value,) = await fill_columns(job, [thread], HashEmbedder(), by="extractive")
    assert (value.value, value.reason) == (None, "unsure"), "a post only tells what somebody paid"


async def test_a_price_in_another_currency_denies_none():
    text = "# Tarn 300\n\nPrice: {}"
    dollars = page("Tarn 300", text.format("$1,500"), "https://a.example/t")
    for there, reason in (("16,000 SEK", ""), ("$1,700", "contradicted")):
        other = page("Tarn 300", text.format(there), "https://b.example/t")
        price = (await filled(dollars, other))["price"]
        assert (price.value, price.reason) == (1500.0, reason)


async def test_the_price_of_a_thing_for_it_is_not_its_own():
    text = "# Cooling pad for Tarn 300 laptop\n\n$21.00\n\nIn stock."
    pad = page("Cooling pad for Tarn 300 laptop – buy at Corner", text)
    pad = pad.changed(page=pad.page.changed(kind="product", metadata={OFFER_PRICE: "21.00"}))
    value = (await filled(pad))["price"]
    assert (value.value, value.reason) == (None, "not_about")


async def test_a_price_in_a_buyers_review_below_a_product_is_a_candidate():
    text = "# Tarn 300\n\nA city bike.\n\n## Reviews\n\nI got the Tarn 300 for 1,500 € last year."
    sold = page("Tarn 300", text)
    review = Post(kind="review", text="I got the Tarn 300 for 1,500 € last year.")
    sold = sold.changed(page=sold.page.changed(kind="product", posts=[review]))
    assert (await filled(sold))["price"].value is None


async def test_a_name_that_a_shop_makes_longer_is_still_the_thing_but_its_variant_is_not():
    longer = page("Tarn 300 City Bike 28 Inch Black", "# Tarn 300 City Bike 28 Inch Black\n\nPrice: 349,00 €")
    assert (await filled(longer))["price"].value == 349.0
    variant = page("Tarn 300 Duo", "# Tarn 300 Duo\n\nPrice: 449,00 €", "https://a.example/duo")
    assert (await filled(variant))["price"].value is None


async def filled_texts(columns: str, subject: str, *pages: StoredPage):
    inputs = JobInputs(goal=subject, subject=subject, columns=given_columns(columns))
    found = await fill_columns(Job(id="j", inputs=inputs), pages, HashEmbedder(), by="extractive")
    return {value.name: value for value in found}


async def test_a_table_of_labels_below_a_heading_is_about_what_the_heading_names():
    def section(name: str, default: str, where: str) -> str:
        rows = (
            f"| Description: | Sets {name} |\n| --- | --- |\n| Default: | {default} |\n| Context: | {where} |"
        )
        return f"## {name} Directive\n\n{rows}\n\nThis directive has a default.\n\n"

    text = section("QueueLength", "511", "server config") + section("IdleLimit", "off", "directory")
    found = page("core module of the server", text)
    columns = "default: text, What is its default?\ncontext: text, In which context is it allowed?"
    for subject, default, where in (
        ("QueueLength", "511", "server config"),
        ("IdleLimit", "off", "directory"),
    ):
        values = await filled_texts(columns, subject, found)
        assert (values["default"].value, values["context"].value) == (default, where)
        assert values["default"].quote == f"| Default: | {default} |"


async def test_the_term_of_an_entry_is_no_label_of_what_stands_below_it():
    text = "log.size\n\nSets the default size of a log.\n\nlog.depth\n\nThe depth. The default is 5."
    found = page("Settings of the log", text)
    values = [
        (await filled_texts("default: text, What is its default?", name, found))["default"].value
        for name in ("log.size", "log.depth")
    ]
    assert values == [None, "5"]


async def test_a_value_below_the_line_that_names_it_is_found_with_both_lines_as_its_quote():
    text = "# Moss shelf\n\nDesigner\n\nTove Ahlgren\n\nMaterial\n\nParticleboard\n\nA shelf for small rooms."
    values = await filled_texts(
        "designer: text, Who is its designer?\nmaterial: text, Of which material is it?", "Moss shelf",
        page("Moss shelf", text),
    )  # fmt: skip
    assert values["designer"].value == "Tove Ahlgren"
    assert values["designer"].quote == "Designer\n\nTove Ahlgren"
    assert values["material"].value == "Particleboard"


async def test_a_text_that_only_repeats_the_question_is_no_value():
    values = await filled_texts(
        "brand: text, Which brand is it?", "Moss shelf", page("Moss shelf", "# Moss shelf\n\nBrand:")
    )
    assert values["brand"].value is None


async def test_a_page_about_the_thing_is_read_beside_an_overview_that_lists_it():
    own = page("Tarn 300: the bike in detail", "The Tarn 300 costs €1,899.\n\nIt weighs 17.5 kg.")
    overview = page(
        "All bikes",
        "# All bikes\n\n## Tarn 300\n\nA bike for rain.\n\n## Osprey 7\n\nA bike for €999.",
        "https://b.example/all",
    )
    values = await filled(overview, own)
    assert (values["price"].value, values["weight"].value) == (1899.0, 17.5)


async def test_a_page_about_another_thing_that_shares_two_words_of_three_gives_nothing():
    columns = "ticket: money, How much is a ticket?"
    own = page("Salt House Museum", "The Salt House Museum stands by the ferry.")
    other = page("Printing House Museum", "Adult ticket: $20", "https://a.example/printing")
    for name in ("Salt House Museum", "Museum of Salt"):
        assert (await filled_texts(columns, name, own, other))["ticket"].value is None
    assert (await filled_texts(columns, "Printing House Museum", own, other))["ticket"].value == 20.0


async def test_a_label_that_is_a_word_of_the_question_says_yes_or_no_by_its_mark():
    found = page("Cinder Row Coffee", "Cinder Row Coffee is a small firm.\n\n- Organic: no")
    columns = "organic: yes/no, Is its coffee certified organic?"
    values = await filled_texts(columns, "Cinder Row Coffee", found)
    assert (values["organic"].value, values["organic"].quote) == (False, "Organic: no")


def test_a_sentence_with_some_words_of_the_question_is_no_yes():
    columns = given_columns("restart: yes/no, Can this setting only be changed at server start?")
    job = Job(id="j", inputs=JobInputs(goal="tideclock of Marrow", subject="tideclock", columns=columns))

    def answers(sentence: str) -> list[object]:
        found = page("Settings of Marrow", f"# Settings of Marrow\n\n## tideclock\n\n{sentence}")
        return [
            candidate.stated.value for candidate in RowCandidateFinder(job, [found]).candidates(columns[0])
        ]

    assert answers("This setting can only be changed in the file or on the server command line.") == []
    assert True in answers("This setting can only be changed at server start.")


async def of_two_programs(*pages: StoredPage):
    inputs = JobInputs(
        goal="What are the settings of Timeout of Marrow httpd?",
        subject="Timeout; Marrow httpd; row 17",
        columns=given_columns("default: text, What is its default?"),
    )
    [value] = await fill_columns(Job(id="j", inputs=inputs), pages, HashEmbedder(), by="extractive")
    return value


async def test_a_setting_of_another_program_with_the_same_name_fills_no_cell():
    def manual(program: str, default: str, url: str) -> StoredPage:
        entries = f"## Timeout\n\nDefault: {default}\n\n## Backlog\n\nDefault: 511"
        return page(f"Settings of {program}", f"# Settings of {program}\n\n{entries}", url)

    other = manual("Corva database", "zero", "https://corva.example/settings")
    own = manual("Marrow httpd", "60", "https://marrow.example/settings")
    value = await of_two_programs(other)
    assert (value.value, value.reason) == (None, "unsure")
    assert "zero" in value.note and other.final_url in value.note
    for pages in ((other, own), (own, other)):
        value = await of_two_programs(*pages)
        assert (value.value, value.url, value.reason) == ("60", own.final_url, "")
    start = page("Marrow httpd", "# Marrow httpd\n\nA server of pages.", "https://corva.example/")
    assert (await of_two_programs(other, start)).value == "zero"  # few pages of a manual name its program


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("CacheSize is the size of the cache that is available to a single query.", None),
        ("CacheSize restricts the number of threads that will be available to serve clients.", None),
        ("Available since: Marrow 2.2", "Marrow 2.2"),
    ],
)
async def test_a_column_that_asks_for_a_version_takes_only_what_has_one(text, since):
    found = page("CacheSize", f"# CacheSize\n\n{text}")
    columns = "since: text, Since which version is it available?"
    assert (await filled_texts(columns, "CacheSize", found))["since"].value == since


async def test_a_choice_is_read_from_the_head_of_an_entry_and_no_word_there_that_is_none_of_the_choices():
    manual = page(
        "All settings",
        "# All settings\n\n`keel_size` (integer)\n\nHow much is kept.\n\n"
        "`keel_mode` (enum)\n\nWhat is kept, an integer too.\n\n"
        "`keel_path` (string)\n\nWhere it is kept.\n",
    )
    columns = given_columns("kind: choice (integer, enum, boolean), Which type of value?")
    for name, kind in (("keel_size", "integer"), ("keel_mode", "enum"), ("keel_path", None)):
        job = Job(id="j", inputs=JobInputs(goal=f"setting {name}", subject=name, columns=columns))
        (value,) = await fill_columns(job, [manual], HashEmbedder(), by="extractive")
        assert (value.value, name in value.quote) == (kind, kind is not None)


DESCRIBING = (
    "what it does: text, What does the setting do?",
    "purpose: text, What is it for?",
    "description: text",
    "summary: text, Explain in one sentence what it controls",
)
KEEL = page(
    "All settings of Keel",
    "# All settings of Keel\n\n`keel_mode` (enum)\n\nSets how much is kept. When set to always, everything is kept, "
    "and larger values are effective too.\n\n`keel_path` (string)\n\nNames the folder of what is kept. It is read "
    "once.\n",
)


@each_case("column", DESCRIBING)
async def test_a_column_that_asks_what_a_thing_does_gets_the_first_sentence_of_its_own_entry(column):
    for name, sentence in (
        ("keel_mode", "Sets how much is kept."),
        ("keel_path", "Names the folder of what is kept."),
        ("keel_none", None),
    ):
        (value,) = (await filled_texts(column, name, KEEL)).values()
        assert value.value == sentence
        assert sentence is None or (sentence in value.quote and value.confidence >= 0.5)


async def test_a_word_behind_a_verb_of_the_question_is_no_value():
    columns = "when: text, When can it be set?\nmeans: text, In which setting is it given?"
    values = await filled_texts(columns, "keel_mode", KEEL)
    assert [value.value for value in values.values()] == [None, None]


async def test_the_head_of_an_entry_says_of_which_type_its_value_is():
    columns = (
        "a: text, What type of value does it take?\nvalue type: text\nunit: text, In which unit is it given?"
    )
    values = await filled_texts(columns, "keel_path", KEEL)
    assert [value.value for value in values.values()] == ["string", "string", None]


async def test_what_an_option_does_is_said_below_its_own_term():
    manual = page(
        "keel-pack", "# keel-pack\n\n--short\n\nTell only the names.\n\n--quiet\n\nSay nothing at all.\n"
    )
    values = await filled_texts("quiet: text, What does the option --quiet do?", "keel-pack", manual)
    assert values["quiet"].value == "Say nothing at all."


async def test_a_page_about_one_thing_describes_it_where_it_says_what_it_is():
    columns = "description: text\nwhat it does: text"
    text = "Buy it today.\n\nTarn 300 costs €1,899.\n\n"
    told = page(
        "Tarn 300", "# Tarn 300\n\nBuy it today.\n\nThe Tarn 300 is a bicycle that folds. It is light.\n"
    )
    silent = page("Tarn 300", f"# Tarn 300\n\n{text}The frame is made of steel.\n")
    other = page("Tarn 310", "# Tarn 310\n\nTarn 310 is a bicycle that does not fold.\n")
    for pages, sentence in (
        ((other, told), "The Tarn 300 is a bicycle that folds."),
        ((other, silent), None),
    ):
        values = await filled_texts(columns, "Tarn 300", *pages)
        assert {value.value for value in values.values()} == {sentence}


async def test_a_thing_named_by_an_ordinary_word_is_read_where_title_or_host_name_it():
    markdown = "# Plans\n\nA plan on the basis of a year costs €8."
    of_others = page("All plans", markdown, "https://a.example/x")
    own = page(
        "All plans", markdown.replace("the basis", "Basis, on the basis"), "https://basis.example/plans"
    )
    assert (await filled(of_others, subject="Basis"))["price"].value is None
    assert (await filled(own, subject="Basis"))["price"].value == 8.0


SHOPS = Catalogue(
    vendors=(
        Vendor(name="Corner Circuit", host="192.0.2.3", search="http://192.0.2.3/search?q={query}"),
        Vendor(name="Alpin Markt", host="alpin.example", search="https://alpin.example/s?q={query}"),
    )
)


def offer(amount: str, url: str, more: str = "") -> StoredPage:
    sold = page("Tarn 300", f"# Tarn 300\n\n${amount}\n\n{more}", url, **{OFFER_PRICE: amount})
    return sold.changed(page=sold.page.changed(kind="product"))


async def at_shop(shop: str, *pages: StoredPage):
    inputs = JobInputs(goal=f"Tarn 300 at {shop}", subject=f"Tarn 300; {shop}; mine", columns=COLUMNS)
    job = Job(id="j", inputs=inputs)
    return (await fill_columns(job, pages, HashEmbedder(), by="extractive", catalogue=SHOPS))[0]


async def test_what_a_thing_costs_at_a_shop_that_is_named_is_what_that_shop_sells_it_for():
    own = offer("899.00", "http://192.0.2.3/p/1")
    other = offer("849.00", "https://alpin.example/p/1", "Cheaper than Corner Circuit!")
    stranger = offer("829.00", "https://stranger.example/p/1", "Cheaper than Corner Circuit!")
    price = await at_shop("Corner Circuit", other, stranger, own)
    assert (price.value, price.url, price.reason) == (899.0, own.final_url, "")
    assert (await at_shop("alpin.example", own, other)).value == 849.0
    missing = await at_shop("Corner Circuit", other, stranger)
    assert (missing.value, missing.reason) == (None, "unsure")
    assert (await at_shop("Alpine Mart", own, other)).value is None, (
        "a similar name is no shop of the catalogue"
    )


async def test_a_candidate_of_another_shop_says_so_by_the_name_of_that_shop():
    other = offer("849.00", "https://alpin.example/p/1")
    stranger = offer("829.00", "https://stranger.example/p/1")
    for sold, name in ((other, "Alpin Markt"), (stranger, "stranger.example")):
        price = await at_shop("Corner Circuit", sold)
        assert [one.other_shop for one in price.alternatives] == [name]
        assert f"from another shop: {name}" in price.note


STOCK = "price: money, What does it cost?\nstock: yes/no, Is it in stock?"


async def offered(goal: str, *pages: StoredPage):
    inputs = JobInputs(goal=goal, subject=goal.replace(" at ", "; "), columns=given_columns(STOCK))
    job = Job(id="j", inputs=inputs)
    return await fill_columns(job, pages, HashEmbedder(), by="extractive", catalogue=SHOPS)


async def test_what_the_own_shop_says_of_its_stock_stands_before_what_other_shops_say():
    own = offer("899.00", "http://192.0.2.3/p/1", "On backorder, ships in 3 weeks")
    other = offer("849.00", "https://alpin.example/p/1", "In stock")
    _, stock = await offered("Tarn 300 at Corner Circuit", other, own)
    first = stock if stock.value is not None else stock.alternatives[0]
    assert (first.value, first.quote) == (False, "On backorder, ships in 3 weeks")
    assert stock.confidence <= 0.6


async def test_a_page_that_sells_nothing_may_tell_of_the_shop_that_is_named():
    told = page("Tarn 300 tested", "# Tarn 300\n\nAt Corner Circuit the Tarn 300 weighs 17 kg with its lock.")
    weights = given_columns("weight: number in kg, How much does it weigh?")
    inputs = JobInputs(goal="Tarn 300 at Corner Circuit", subject="Tarn 300; Corner Circuit", columns=weights)
    (weight,) = await fill_columns(
        Job(id="j", inputs=inputs), [told], HashEmbedder(), by="extractive", catalogue=SHOPS
    )
    assert weight.value == 17.0


def in_condition(sold: StoredPage, condition: str) -> StoredPage:
    return sold.changed(page=sold.page.changed(metadata=sold.page.metadata | {OFFER_CONDITION: condition}))


async def test_a_price_is_that_of_a_new_thing_and_the_other_conditions_are_named_beside_it():
    new = offer("899.00", "http://192.0.2.3/p/1")
    used = in_condition(offer("649.00", "http://192.0.2.3/p/2"), "used")
    titled = offer("749.00", "http://192.0.2.3/p/3")
    titled = titled.changed(page=titled.page.changed(title="Tarn 300 (Refurbished)"))
    price = (await filled(used, titled, new))["price"]
    assert (price.value, price.reason) == (899.0, ""), "another condition contradicts nothing"
    assert f"a used one: $649.00: {used.final_url}" in price.note
    assert f"a refurbished one: $749.00: {titled.final_url}" in price.note


async def test_a_price_of_another_condition_than_the_wanted_one_says_so_and_is_not_sure():
    used = in_condition(offer("649.00", "http://192.0.2.3/p/2"), "used")
    price = (await filled(used))["price"]
    assert (price.value, price.note) == (649.0, "a used one; no offer in the wanted condition is found")
    assert price.confidence < 0.7
    new = in_condition(offer("899.00", "http://192.0.2.3/p/1"), "new")
    inputs = JobInputs(goal="used Tarn 300: price", subject="Tarn 300", columns=COLUMNS)
    job = Job(id="j", inputs=inputs)
    wanted = (await fill_columns(job, [used, new], HashEmbedder(), by="extractive"))[0]
    assert (wanted.value, wanted.confidence > price.confidence) == (649.0, True)
    assert wanted.note == f"a new one: $899.00: {new.final_url}"


async def test_price_and_stock_of_a_row_are_of_the_same_offer():
    new = in_condition(offer("899.00", "http://192.0.2.3/p/1", "On backorder, ships in 3 weeks"), "new")
    used = in_condition(offer("649.00", "http://192.0.2.3/p/2", "In stock"), "refurbished")
    second = offer("899.00", "http://192.0.2.3/p/3", "In stock")
    for others in ((used,), (second,), (used, second)):
        price, stock = await offered("Tarn 300 at Corner Circuit", *others, new)
        assert price.value == 899.0
        if price.url == new.final_url:
            assert (stock.value, stock.url) == (False, new.final_url)
        else:
            assert (stock.value, stock.url) == (True, price.url)


async def test_the_stock_of_another_condition_counts_as_its_price_does():
    new = in_condition(offer("899.00", "http://192.0.2.3/p/1"), "new")
    used = in_condition(offer("649.00", "http://192.0.2.3/p/2", "In stock"), "refurbished")
    price, stock = await offered("Tarn 300 at Corner Circuit", used, new)
    assert (price.value, price.url) == (899.0, new.final_url)
    assert stock.confidence <= 0.6
    assert "a refurbished one" in stock.note


STOCK_COLUMNS = """In stock: yes/no, Is it in stock?
Availability: one of (in stock, out of stock), Is it in stock?
Stock: text"""


async def in_stock(*pages: StoredPage):
    inputs = JobInputs(
        goal="Tarn 300 at Corner Circuit",
        subject="Tarn 300; Corner Circuit",
        columns=given_columns(STOCK_COLUMNS),
    )
    job = Job(id="j", inputs=inputs)
    return await fill_columns(job, pages, HashEmbedder(), by="extractive", catalogue=SHOPS)


async def test_columns_of_any_type_that_ask_for_the_stock_are_of_one_offer():
    new = offer("899.00", "http://192.0.2.3/p/1", "Out of stock\n\nWhole beans, roasted at the quay")
    used = in_condition(offer("649.00", "http://192.0.2.3/p/2", "In stock\n\nCondition: Used"), "used")
    values = await in_stock(used, new)
    assert [value.value for value in values] == [False, "out of stock", "Out of stock"]
    assert {value.url for value in values} == {new.final_url}


async def test_a_line_that_says_the_stock_names_nothing_that_stands_below_it():
    told = page("Tarn 300", "# Tarn 300\n\nIn stock\n\nWhole beans, roasted at the quay\n\nCondition: New")
    assert (await in_stock(told))[2].value is None


@each_case(
    "text",
    [
        "Out of stock\n\n## Product data\n\n- Availability: in stock",
        "## Product data\n\n- Availability: in stock\n- Availability: out of stock (elsewhere on the page)",
    ],
)
async def test_a_page_that_denies_its_own_stock_makes_it_less_sure_and_is_told(text):
    own = offer("899.00", "http://192.0.2.3/p/1", text)
    for value in await in_stock(own):
        assert value.confidence < 0.8
        assert "the same page says" in value.note


async def test_a_weight_does_not_depend_on_the_shop_that_a_row_names_and_a_stock_does():
    other = offer("849.00", "https://alpin.example/p/1", "Weight: 17 kg\n\nOut of stock")
    asked = "weight: number in kg, How much does it weigh?\nstock: text, Is it in stock?"
    inputs = JobInputs(
        goal="Tarn 300 at Corner Circuit", subject="Tarn 300; Corner Circuit", columns=given_columns(asked)
    )
    weight, stock = await fill_columns(
        Job(id="j", inputs=inputs), [other], HashEmbedder(), by="extractive", catalogue=SHOPS
    )
    assert (weight.value, weight.reason) == (17.0, "")
    assert (stock.value, stock.alternatives[0].other_shop) == (None, "Alpin Markt")


async def test_a_value_on_a_page_that_names_the_thing_is_a_candidate_and_not_called_one_of_other_things():
    text = "# Day trips\n\nThe Skelder lighthouse stands on a rock.\n\n## Tickets\n\nPrice: €6"
    value = (await filled(page("Day trips", text), subject="Skelder lighthouse"))["price"]
    assert (value.value, value.reason) == (None, "unsure")
    assert [(one.value, one.quote) for one in value.alternatives] == [(6.0, "Price: €6")]
    other = page("Day trips", "# Day trips\n\nThe harbour museum.\n\n## Tickets\n\nPrice: €6")
    assert (await filled(other, subject="Skelder lighthouse"))["price"].reason == "not_about"
