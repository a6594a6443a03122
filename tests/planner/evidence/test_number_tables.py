from planner.evidence.evidence_statements import evidence_statements
from planner.evidence.number_tables import number_tables
from tests.planner.brains.views import finding

QUESTION = "How much does a heat pump cost to install?"


async def tables(embedder, *claims):
    findings = [finding(text, f"http://h{n}.test/1") for n, text in enumerate(claims)]
    return number_tables(await evidence_statements(QUESTION, findings, embedder))


async def test_numbers_of_three_pages_for_one_thing_are_one_table_with_its_spread(embedder):
    (table,) = await tables(
        embedder,
        "Installing a heat pump costs 14,000 euros on average.",
        "The installation of a heat pump cost 21,500 euros last year.",
        "A heat pump costs 9,800 euros with its installation.",
        "A bakery sells 40 rolls an hour.",
    )
    assert (table.lowest.amount, table.highest.amount) == ("9,800 euros", "21,500 euros")
    assert [row.said.host for row in table.rows] == ["h2.test", "h0.test", "h1.test"]


async def test_two_pages_make_no_table(embedder):
    assert not await tables(
        embedder,
        "Installing a heat pump costs 14,000 euros on average.",
        "The installation of a heat pump cost 21,500 euros last year.",
    )


async def test_numbers_of_other_units_and_things_stay_out_of_the_table(embedder):
    assert not await tables(
        embedder,
        "Installing a heat pump costs 14,000 euros on average.",
        "The installation of a heat pump takes 3 days on average.",
        "A gas boiler costs 4,000 euros in the shop around the corner.",
        "The heat pump of the town hall saved 900 euros of oil in its first winter.",
    )
