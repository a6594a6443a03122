from decimal import Decimal

from planner.watches.price_alerts import alert_of, alert_reasons, drop_of, with_reference
from research_crawler.core.models.watches.watch import AlertRule, Change, ObservedState
from tests.planner.watches.watch_samples import a_tracked, a_watch, an_identity


def standing(price: str | None, currency: str = "EUR") -> ObservedState:
    return (
        ObservedState(buyable=False)
        if price is None
        else ObservedState(price=Decimal(price), currency=currency)
    )


def a_change(before: ObservedState | None, after: ObservedState, reference: str | None = None) -> Change:
    return Change(
        watch="w",
        product="p",
        number=2,
        at_ms=1,
        before=before,
        after=after,
        reference=None if reference is None else Decimal(reference),
        identity=an_identity(),
    )


def test_a_price_that_falls_below_the_limit_or_further_below_it_is_an_alert():
    rule = AlertRule(below=Decimal(900), currency="EUR")
    assert alert_reasons(rule, a_change(standing("950"), standing("899.99"))) == ["below"]
    assert alert_reasons(rule, a_change(None, standing("850"))) == ["below"]
    assert alert_reasons(rule, a_change(standing("880"), standing("850"))) == ["below"]
    assert alert_reasons(rule, a_change(standing(None), standing("850"))) == ["below"]
    assert alert_reasons(rule, a_change(standing("950"), standing("900"))) == []
    assert alert_reasons(rule, a_change(standing("850"), standing("880"))) == []
    assert alert_reasons(rule, a_change(standing("850"), standing(None))) == []


def test_a_limit_in_one_currency_does_not_apply_to_prices_in_another():
    rule = AlertRule(below=Decimal(900), currency="EUR")
    assert alert_reasons(rule, a_change(standing("950", "USD"), standing("850", "USD"))) == []
    assert alert_reasons(rule, a_change(standing("850", "USD"), standing("880", "EUR"))) == ["below"]


def test_a_drop_is_measured_from_the_highest_price_since_the_last_alert():
    rule, product = AlertRule(drop_percent=10), a_tracked()
    alerts, before = [], None
    for price in ("1000", "960", "920", "899", "880", "1100", "1000", "980"):
        change = a_change(before, standing(price), product.reference and str(product.reference))
        reasons = alert_reasons(rule, change)
        product = with_reference(product, change, reasons)
        alerts += [price] * bool(reasons)
        before = change.after
    assert alerts == ["899", "980"]


def test_a_drop_is_not_measured_across_currencies():
    change = a_change(standing("1000", "EUR"), standing("800", "USD"), "1000")
    assert drop_of(change) == 0
    assert with_reference(a_tracked(reference=Decimal(1000)), change, []).reference == 800


def test_back_in_stock_is_an_alert_only_if_the_product_was_out_of_stock():
    rule = AlertRule(back_in_stock=True)
    assert alert_reasons(rule, a_change(standing(None), standing("800"))) == ["back_in_stock"]
    assert alert_reasons(rule, a_change(None, standing("800"))) == []
    assert alert_reasons(rule, a_change(standing("800"), standing(None))) == []


def test_with_any_change_every_change_but_the_first_confirmation_is_an_alert():
    rule = AlertRule(any_change=True)
    assert alert_reasons(rule, a_change(None, standing("800"))) == []
    assert alert_reasons(rule, a_change(standing("800"), standing("810"))) == ["change"]
    assert alert_reasons(rule, a_change(standing("800"), standing(None))) == ["change"]
    assert AlertRule().is_empty
    assert alert_reasons(AlertRule(), a_change(standing("800"), standing("1"))) == []


def test_an_alert_is_plain_text_whatever_the_page_calls_its_product():
    change = a_change(standing("950"), standing("850"))
    name = "Laptop\r\nBcc: everybody@example.org\x1b[2J" + "x" * 500
    change = change.model_copy(update={"identity": an_identity(name=name)})
    alert = alert_of(a_watch(rule=AlertRule(below=Decimal(900))), change, ["below"])
    assert alert.title.isprintable()
    assert alert.title.startswith("Laptop Bcc:")
    assert "EUR 850.00 (below EUR 900.00)" in alert.title
    assert "before: EUR 950.00" in alert.text
    assert len(alert.title) < 200


def test_an_alert_names_the_variant_and_a_condition_that_is_not_new():
    change = a_change(None, standing("850"))
    used = change.model_copy(update={"identity": an_identity(condition="used", variant="32 GB")})
    assert "Laptop 16 RTX 4060 (32 GB, used): EUR 850.00" in alert_of(a_watch(), used, ["below"]).title
    assert "(new)" not in alert_of(a_watch(), change, ["below"]).title
