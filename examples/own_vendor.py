"""A vendor in a file, without code: the catalogue reads it beside the packaged ones, without Redis or network.

python examples/own_vendor.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from research_crawler.adapters.vendor_catalogue import load_catalogue
from research_crawler.configuration import load_system_config

VENDORS = """
[[vendor]]
name = "Corner Shop"
host = "corner.example"
search = "https://www.corner.example/find?q={query}"
country = "GB"
"""


def main() -> None:
    """Keep the file in a data folder, and ask the catalogue which vendor of Great Britain comes first."""
    with TemporaryDirectory() as home:
        (Path(home) / "vendors.toml").write_text(VENDORS, encoding="utf-8")
        catalogue = load_catalogue(load_system_config(home=home))
    first = catalogue.for_region("GB")[0]
    print(f"{first.name}: {first.search_url('hand grinder')}")


if __name__ == "__main__":
    main()
