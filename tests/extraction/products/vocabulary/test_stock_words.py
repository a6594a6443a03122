"""Tests of reading whether a product can be had from what shops write in many languages."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from research_crawler.core.models.products import Availability
from research_crawler.extraction.products.vocabulary.stock_words import (
    read_availability,
    words_of_availability,
)

STATEMENTS: dict[Availability, str] = {
    "out_of_stock": """
        Sold out|Out of stock|Not in stock|isn't in stock right now|0 in stock|Stock: 0|Availability: 0
        No longer available
        Currently unavailable|In stock: no|Temporarily out of stock|No stock|Out Of Stock Online
        Nicht vorrätig|Derzeit nicht lieferbar|Nicht mehr auf Lager|Ausverkauft|Lagerbestand: 0|Nicht lagernd
        Rupture de stock|Ce produit n'est plus en stock|Épuisé|EPUISE|Indisponible|Agotado|Sin existencias
        Ya no está disponible
        No hay stock|Esgotado|Não disponível|NAO DISPONIVEL|Fora de estoque|Esaurito|Non più disponibile|Non in stock
        Uitverkocht|Niet meer op voorraad|Geen voorraad|Brak na stanie|Niedostępny|Wyprzedane|Vyprodáno|Není skladem
        Nie je skladom|Skladem 0 ks|Elfogyott|Nincs raktáron|Stoc epuizat|Nu este disponibil|Slut i lager
        Inte i lager|Slut
        Utsolgt|Ikke på lager|Udsolgt|Loppuunmyyty|Ei varastossa|Tükendi|Stokta yok|Εξαντλημένο|Δεν είναι διαθέσιμο
        Нет в наличии|Наличие: нет|В наличии: нет|Распродано|Немає в наявності|Няма в наличност|Nije na zalihi
        Ni na zalogi
        Nėra sandėlyje|Nav noliktavā|Läbi müüdud|Hết hàng|Stok habis|Tidak tersedia|在庫切れ|売り切れ|缺货|无货|품절
        재고 없음|สินค้าหมด|לא במלאי|غير متوفر|ناموجود""",
    "in_stock": """
        In stock|In-stock|Available|Availability: In Stock|12 in stock|Stock: 25|More than 10 available|Available now
        Ships within 24 hours|Usually ships in 1-2 days|Auf Lager|Sofort lieferbar|5 vorrätig
        Lieferzeit: 1-3 Werktage|Lagernd
        En stock|Disponible immédiatement|Expédié sous 24h|Hay existencias|3 disponibles|Em estoque|Disponível
        Disponibile
        Op voorraad|Uit voorraad leverbaar|Na stanie|Dostępny od ręki|Skladem > 5 ks|Ihned k odeslání|Raktáron
        În stoc|IN STOC
        Finns i lager|På lager|Varastossa|Heti saatavilla|Stokta var|Σε απόθεμα|В наличии 5 шт.|Є в наявності
        Има наличност
        Na zalihi|Na zalogi|Yra sandėlyje|Ir noliktavā|Laos olemas|Còn hàng|Tersedia|在庫あり|有货|재고 있음
        มีสินค้า|במלאי|متوفر""",
    "limited": """
        Only 3 left|Only 2 left in stock|Almost sold out|Last items in stock|Nur noch 2 auf Lager|Fast ausverkauft
        Plus que 2 en stock
        Presque épuisé|Solo quedan 2|Últimas unidades|Ultimi pezzi|Bijna uitverkocht|Ostatnie sztuki|Poslední kus
        Utolsó 2 db
        Få kvar|Kun 2 igjen|Осталось 2|残り2点|仅剩2件""",
    "preorder": """
        Pre-order now|Jetzt vorbestellen|Précommande|Bientôt disponible|Preventa|Pré-venda|Förhandsboka
        Предзаказ|予約受付中""",
    "backorder": """
        Available on backorder|Auf Bestellung|Disponible sur commande|Bajo pedido|Na objednávku|Под заказ
        お取り寄せ""",
}


@pytest.mark.parametrize("availability", STATEMENTS)
def test_statements_of_shops_in_many_languages_are_read(availability):
    texts = [text.strip() for line in STATEMENTS[availability].splitlines() for text in line.split("|")]
    wrong = {
        text: words_of_availability(text)
        for text in texts
        if text and words_of_availability(text) != availability
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "text",
    [
        "Available in five colours",
        "This item is sold by Borealis",
        "Tell me when it is in stock",
        "Kun 199 kr",
        "Nur noch 99,90 €",
        "Slutet av veckan",
        "None",
        "1 sold",
        "есть",
        "Turn the 2 left screws to open it",
        "Free shipping on orders over $50",
        "",
    ],
)
def test_other_texts_say_nothing_of_stock(text):
    assert words_of_availability(text) == "unknown"


def test_a_denial_in_another_sentence_does_not_count():
    assert words_of_availability("No returns. In stock") == "in_stock"


@pytest.mark.parametrize(
    ("value", "availability"),
    [
        ("https://schema.org/InStock", "in_stock"),
        ("http://schema.org/OutOfStock", "out_of_stock"),
        ("LimitedAvailability", "limited"),
        ("onbackorder", "backorder"),
        ("IN_STOCK", "in_stock"),
        ("auf Lager", "in_stock"),
        (True, "in_stock"),
        (False, "out_of_stock"),
        (None, "unknown"),
    ],
)
def test_the_words_of_schema_org_and_of_scripts_are_read(value, availability):
    assert read_availability(value) == availability


@given(st.text(max_size=700))
@example("0 " * 300)
@example("not " * 150 + "in stock")
def test_any_text_has_an_availability(text):
    assert words_of_availability(text) in (*STATEMENTS, "unknown")


@given(st.text(alphabet="xyz ", max_size=20), st.sampled_from(["Sold out", "Ausverkauft", "Нет в наличии"]))
def test_words_around_a_statement_do_not_hide_it(around, said):
    assert words_of_availability(f"{around} {said} {around}") == "out_of_stock"
