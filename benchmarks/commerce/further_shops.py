"""Pages of shops that no rule was written from: those of formasaurus' source package, with facts read off by hand.

`scripts/train_reading.sh` unpacks the package (MIT) below build/training. `further_shops.jsonl` has the price, the
availability and the article numbers of 51 products, written down from the pages' texts before any reader was asked, and
nothing else of the pages.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.commerce.product_pages import SCORED, SavedProduct

FACTS = Path(__file__).with_name("further_shops.jsonl")
PACKAGE = Path(__file__).parents[2] / "build" / "training" / "formasaurus-0.10.0"


def further_products(package: Path = PACKAGE) -> Iterator[SavedProduct]:
    """The pages with their facts; none if the package is not there."""
    data = package / "formasaurus" / "data"
    if not data.is_dir():
        return
    addresses = json.loads((data / "index.json").read_text("utf-8"))
    for line in FACTS.read_text("utf-8").splitlines():
        row = json.loads(line)
        name = f"html/{row['page']}.html"
        truth = {key: row[key] for key in SCORED}
        yield SavedProduct(
            f"formasaurus/{row['page']}", addresses[name]["url"], (data / name).read_bytes(), truth
        )
