"""Tests of showing the prices that a watch has seen."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from research_crawler.cli.views.watch_view import print_result
from research_crawler.core.models.watches.watch import Observation


def seen(price: str, *, fetch_attempt: int = 1, confirmed: bool = False) -> Observation:
    return Observation(
        id=f"o{fetch_attempt}", watch="w", run="r", product="p", at_ms=1, state="offer", price=Decimal(price),
        currency="USD", vendor="shop.example", name="Aurora 15", fetch_attempt=fetch_attempt, confirmed=confirmed,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("observations", "lines"),
    [
        ([seen("819", confirmed=True)], ["USD 819.00"]),
        (
            [seen("819"), seen("819", fetch_attempt=2, confirmed=True)],
            ["USD 819.00 (confirmed by a second fetch)"],
        ),
        (
            [seen("81.90"), seen("899", fetch_attempt=2, confirmed=True)],
            ["USD 81.90 (not confirmed)", "USD 899.00 (second fetch)"],
        ),
    ],
)
def test_a_price_and_its_confirmation_are_one_line(observations, lines, capsys):
    print_result(SimpleNamespace(observations=observations, alerts=[], run=None))
    shown = [
        line.split(maxsplit=1)[1].removesuffix("Aurora 15").strip()
        for line in capsys.readouterr().out.splitlines()
    ]
    assert shown == lines
