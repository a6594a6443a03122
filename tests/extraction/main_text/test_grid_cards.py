from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.main_text.blocks.block_features import view_page
from research_crawler.extraction.main_text.grid_cards import complete_cards

CARD = (
    "<li class=tile><div class=brand>Acme</div><h3>Kettle {0}</h3><div class=cost>{0}9.90 €</div>"
    "<div class=unit>per piece</div><a href=/{0}>Quick view</a></li>"
)
PAGE = (
    "<html><body><div class=bar><p>Free delivery above 50 €</p></div><h1>Kettles</h1><p>All of ours.</p>"
    f"<ul>{''.join(CARD.format(n) for n in range(1, 9))}</ul></body></html>"
)


def chosen_texts(name: str) -> list[str]:
    root = html.document_fromstring(PAGE)
    blocks = read_blocks(root.body)
    view = view_page(root, blocks)
    chosen = [index for index, block in enumerate(blocks) if block.text.startswith(name)]
    return [blocks[index].text for index in complete_cards(view, chosen)]


def test_a_chosen_name_keeps_its_price_maker_and_unit():
    assert chosen_texts("Kettle 3") == ["Acme", "Kettle 3", "39.90 €", "per piece"]


def test_every_card_keeps_its_own_price():
    texts = chosen_texts("Kettle")
    assert [text for text in texts if "€" in text] == [f"{n}9.90 €" for n in range(1, 9)]
    assert "Quick view" not in texts


def test_prices_of_cards_that_were_not_chosen_are_left_out():
    assert chosen_texts("All of ours") == ["All of ours."]
