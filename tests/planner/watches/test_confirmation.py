from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.watches.confirmation import observe
from planner.watches.settlement import effective_rule, settle_readings, warnings_of
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.watches.watch import AlertRule, ObservedState
from tests.planner.watches.watch_samples import ANY, a_reading, a_tracked, a_watch, an_identity


def seen(product, *readings, rule=ANY):
    """Apply readings one after the other; gives the product and its confirmed changes."""
    changes = []
    for reading in readings:
        verdict = observe(product, reading, watch="w", run="r", rule=rule)
        product = verdict.product
        changes += [verdict.change] if verdict.change else []
    return product, changes


def confirmed(price: str = "999"):
    product, changes = seen(a_tracked(), a_reading(1, price), a_reading(2, price))
    assert len(changes) == 1
    return product


def test_a_first_reading_opens_a_change_and_a_second_one_confirms_it():
    product, changes = seen(a_tracked(), a_reading(1))
    assert not changes
    assert product.confirmed is None
    product, changes = seen(product, a_reading(2))
    assert [change.after.price for change in changes] == [Decimal(999)]
    assert product.confirmed == ObservedState(price=Decimal(999), currency="EUR")
    assert product.pending is None


def test_a_price_that_only_one_fetch_shows_is_never_a_change():
    product, changes = seen(
        confirmed(), a_reading(3, "9.99"), a_reading(4), a_reading(5, "9.99"), a_reading(6)
    )
    assert not changes
    assert product.confirmed.price == 999


@pytest.mark.parametrize("state", ["blocked", "failed", "unclear"])
def test_a_page_that_shows_no_offer_neither_opens_nor_ends_a_change(state):
    product, changes = seen(confirmed(), a_reading(3, state=state))
    assert not changes
    product, changes = seen(product, a_reading(4, "800"), a_reading(5, state=state), a_reading(6, "800"))
    assert [change.after.price for change in changes] == [Decimal(800)]
    assert changes[0].before.price == 999


def test_out_of_stock_is_a_state_without_a_price():
    product, changes = seen(
        confirmed(), a_reading(3, state="out_of_stock"), a_reading(4, state="out_of_stock")
    )
    assert [change.after for change in changes] == [ObservedState(buyable=False)]
    _, changes = seen(product, a_reading(5), a_reading(6))
    assert changes[0].before == ObservedState(buyable=False)


def test_the_same_reading_twice_at_one_moment_counts_once():
    first = a_reading(1)
    product, changes = seen(
        a_tracked(), first, first.model_copy(update={"id": "b", "at_ms": first.at_ms + 5})
    )
    assert not changes
    assert product.pending is not None


def test_a_page_that_contradicts_itself_confirms_nothing():
    product, changes = seen(confirmed(), a_reading(3, "1", doubtful=True), a_reading(4, "1", doubtful=True))
    assert not changes
    assert product.confirmed.price == 999


def test_two_extractors_that_agree_confirm_a_change_only_if_the_rule_allows_it():
    both = a_reading(3, "800", sources=["json_ld", "dom"])
    _, changes = seen(confirmed(), both)
    assert not changes
    rule = ANY.model_copy(update={"agreement_confirms": True})
    _, changes = seen(confirmed(), both, rule=rule)
    assert [change.confirmed_by for change in changes] == ["extractor"]
    for alone in (["json_ld"], ["dom"], ["json_ld", "state"]):
        _, changes = seen(confirmed(), a_reading(3, "800", sources=alone), rule=rule)
        assert not changes


def test_an_amount_without_a_currency_is_not_compared_with_one_that_has_a_currency():
    product, changes = seen(confirmed(), a_reading(3, "800", currency=""), a_reading(4, "800", currency=""))
    assert not changes
    verdict = observe(product, a_reading(5, currency=""), watch="w", run="r", rule=ANY)
    assert verdict.agrees


readings = st.lists(
    st.tuples(
        st.sampled_from(["offer", "offer", "offer", "out_of_stock", "blocked", "failed", "unclear"]),
        st.sampled_from(["700", "800", "999"]),
        st.booleans(),
    ),
    max_size=30,
)


@given(readings)
def test_every_change_needs_two_fetches_in_a_row_and_is_alerted_once(series):
    watch = a_watch(rule=AlertRule(any_change=True, below=Decimal(750), drop_percent=5, back_in_stock=True))
    all_readings = [
        a_reading(number, price, state=state, doubtful=doubtful)
        for number, (state, price, doubtful) in enumerate(series, 1)
    ]
    known, alerts, changes = [], [], []
    for reading in all_readings:
        settled = settle_readings(watch, known, [reading], run="r")
        known = list(({one.key: one for one in known} | settled.products).values())
        alerts += settled.alerts
        changes += settled.changes
    assert len({alert.key for alert in alerts}) == len(alerts)
    assert {alert.key for alert in alerts} <= {change.key for change in changes}
    assert [change.number for change in changes] == list(range(1, len(changes) + 1))
    informative = [r for r in all_readings if r.state in ("offer", "out_of_stock")]
    for change in changes:
        assert change.before != change.after
        at = next(index for index, r in enumerate(informative) if r.at_ms == change.at_ms)
        earlier = [r for r in informative[:at] if not r.doubtful]
        assert earlier, "confirmed by a first reading"
        assert (earlier[-1].state, earlier[-1].price) == (informative[at].state, informative[at].price)


@given(readings, st.integers(1, 4))
def test_readings_that_are_applied_twice_count_once(series, portion):
    watch = a_watch()
    all_readings = [
        a_reading(number, price, state=state) for number, (state, price, _) in enumerate(series, 1)
    ]
    known: dict = {}
    stored: list[str] = []
    for start in range(0, len(all_readings), portion):
        some = all_readings[start : start + portion]
        for _ in range(2):  # a kill between archive and Redis repeats the step
            settled = settle_readings(watch, list(known.values()), some, run="r", done=stored)
            known |= settled.products
            stored += [one.id for one in settled.observations]
    assert stored == [reading.id for reading in all_readings]


def test_an_observation_says_whether_it_is_confirmed_and_whether_it_proves_a_change():
    settled = settle_readings(a_watch(), [], [a_reading(1), a_reading(2), a_reading(3)], run="r")
    assert [one.confirmed for one in settled.observations] == [False, True, True]
    assert [one.proves for one in settled.observations] == [True, True, False]
    assert settled.confirms == ["reading1"]
    assert settled.pages_again == []
    assert settle_readings(a_watch(), [], [a_reading(1)], run="r").pages_again == [0]


def test_a_limit_without_a_currency_is_used_only_if_all_prices_have_the_same_one():
    rule = AlertRule(below=Decimal(900))
    euro = a_tracked(confirmed=ObservedState(price=Decimal(1), currency="EUR"))
    dollar = a_tracked(confirmed=ObservedState(price=Decimal(1), currency="USD"))
    assert effective_rule(rule, [euro]).currency == "EUR"
    assert effective_rule(rule, [euro, dollar]).below is None
    assert warnings_of(rule, [euro]) == []
    assert "limit is not used" in warnings_of(rule, [euro, dollar])[0]
    assert effective_rule(rule.model_copy(update={"currency": "USD"}), [euro, dollar]).below == 900


def test_two_results_of_one_page_are_two_products():
    one = a_reading(1, identity=an_identity(asked="", url="https://shop.example/a", sku="A"))
    two = a_reading(
        1, "500", id="other", identity=an_identity(asked="", url="https://shop.example/b", sku="B")
    )
    settled = settle_readings(a_watch(), [], [one, two], run="r")
    assert len(settled.products) == 2


def test_a_price_in_another_currency_is_confirmed_by_a_later_run_and_not_by_the_same_one():
    """A shop that takes the reader for a buyer of another country shows it twice within a minute too."""
    product, changes = seen(confirmed(), *(a_reading(n, "1099", currency="USD") for n in (3, 4)))
    assert not changes
    assert product.confirmed == ObservedState(price=Decimal(999), currency="EUR")
    later = observe(product, a_reading(65, "1099", currency="USD"), watch="w", run="later", rule=ANY)
    assert later.change.after == ObservedState(price=Decimal(1099), currency="USD")


def test_a_reading_in_another_currency_says_so():
    settled = settle_readings(a_watch(), [confirmed()], [a_reading(3, "1099", currency="USD")], run="r2")
    [kept] = settled.observations
    assert (kept.reason.kind, kept.confirmed) == (Reason.OTHER_CURRENCY, False)


def test_an_offer_that_a_person_left_out_is_kept_nowhere_and_known_again_in_the_next_run():
    wrong = an_identity(asked="", url="https://shop.example/b", sku="B2", name="Something else")
    watch = a_watch()
    readings = [a_reading(1), a_reading(2, "5", identity=wrong)]
    first = settle_readings(watch, [], readings, run="a")
    known = list(first.products.values())
    (key,) = [product.key for product in known if product.identity.sku == "B2"]
    watch = watch.changed(dropped=[key])
    renamed = wrong.changed(name="Something else, now cheaper")
    for run in ("b", "c"):
        again = [a_reading(3, "4", identity=renamed), a_reading(4, "998")]
        settled = settle_readings(watch, known, again, run=run)
        assert [seen.product == key for seen in settled.observations] == [False]
        assert key not in settled.products and not any(one.product == key for one in settled.changes)


def test_a_limit_that_is_raised_above_a_price_that_has_not_moved_is_one_alert():
    low, high = (AlertRule(below=Decimal(limit), currency="EUR") for limit in ("900", "1000"))
    first = settle_readings(a_watch(rule=low), [], [a_reading(1), a_reading(2)], run="r")
    assert first.alerts == []
    again = settle_readings(
        a_watch(rule=high), [*first.products.values()], [a_reading(3), a_reading(4)], run="s"
    )
    assert [alert.reasons for alert in again.alerts] == [["below"]]
    third = settle_readings(a_watch(rule=high), [*again.products.values()], [a_reading(5)], run="t")
    assert third.alerts == []
