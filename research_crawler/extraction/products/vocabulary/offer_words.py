"""The words of shops: condition, buying, and labels of article numbers.

Those of stock are in `stock_words`. Words of other languages than the project's eight stand here only if a saved
page has them.
"""

import re

from research_crawler.core.models.offers.products import Condition

_CONDITIONS: dict[str, Condition] = {
    "newcondition": "new", "new": "new", "usedcondition": "used", "used": "used", "preowned": "used",
    "refurbishedcondition": "refurbished", "refurbished": "refurbished", "renewed": "refurbished",
    "damagedcondition": "used", "openbox": "open_box", "opened": "open_box",
}  # fmt: skip

BUY = re.compile(
    r"\b(?:add to (?:(?:my|our|your|the|shopping) ){0,2}(?:cart|basket|bag|trolley|order)|buy (?:it )?now|buy online"
    r"|add to (?:tote|trolley)|buy (?:tickets?|online|with)|order (?:now|online)"
    r"|(?:place|enter|submit) (?:a |your )?(?:bid|order)|checkout|get tickets|start order|contact supplier"
    r"|pre-?order(?: now)?|in den (?:warenkorb|einkaufswagen|einkaufskorb|korb)"
    r"|(?:jetzt|sofort|online)[ -]?(?:kaufen|bestellen)|vorbestellen"
    r"|ajouter (?:au|dans (?:le|mon)|à mon) (?:panier|sac|cabas)|acheter|commander|précommander|achat immédiat"
    r"|(?:añadir|agregar|anadir) (?:al? (?:la |mi )?)(?:carr\w+|cesta|bolsa)|comprar"
    r"|adicionar (?:ao|à) (?:carrinho|sacola|cesto)|aggiungi (?:al|alla) (?:carrello|borsa)"
    r"|compra(?:lo)? (?:subito|ora)|acquista|ordina ora|(?:in|aan) (?:mijn |de )?winkel(?:wagen|mand)\w*"
    r"|bestel(?:len)?(?: nu)?|koop nu|zum warenkorb|do koszyka|dodaj do koszyka|kup teraz|zamów|kupi(?: odmah)?"
    r"|do košíka|koupit|kúpiť|adaug[ăa](?:[țt]i)? [iî]n co[sș]|cump[ăa]r[ăa]|в корзину|добавить в корзину|купить"
    r"|заказать|оформить заказ)\b"
    r"|加入購物車|立即購買|קנה עכשיו|לרכישה",
    re.I,
)  # fmt: skip
BUY_NAME = re.compile(
    r"(?:^|[^a-z])add[-_]?(?:item[-_]?)?to[-_]?(?:cart|basket|bag|trolley)|buy[-_]?(?:now|button|btn)(?:[^a-z]|$)"
    r"|(?:btn|button)[-_](?:buy|cart)(?:[^a-z]|$)",
    re.I,
)
"""The id, name or class of a buy button, whatever language its label is in."""
CONDITION_LABEL = re.compile(
    r"(?:item )?(?:condition|zustand|état|estado|condizion[ei]|staat|stan)\s*(?::|$)",
    re.I,
)
SKU_LABEL = re.compile(
    r"^\W*(?:sku"
    r"|(?:item|article|art|product|prod|catalog(?:ue)?|part|model|stock|style|reference|ref|listing|lot|order|cat|web"
    r"|store)[ .-]*(?:(?:number|num|code|no|nr|id|ref(?:erence)?)\b|#|№)"
    r"|item ?#|ref(?:erence|erencia|erência|\.|:)|(?:ebay )?item number"
    r"|(?:artikel|bestell|produkt|waren|art)[ .-]*(?:nummer|nr|code|kod|nr\.)|référence|réf\.?"
    r"|code (?:article|produit)|código(?: (?:de|do) (?:artículo|producto|produto|item))?|referencia|referência"
    r"|cod(?:ice)?\.?(?: (?:articolo|prodotto|produs|produktu))?|artikelnummer|nr kat\w*"
    r"|kod (?:produktu|towaru|producenta|zboží|tovaru)|kód(?: (?:produktu|tovaru|zboží))?|артикул"
    r"|код(?: (?:товара|товару|модели))?|№)\s*(?:[:#№]|\.|$|(?=\d)|[-–](?=\s|$))",
    re.I,
)  # fmt: skip
MPN_LABEL = re.compile(
    r"^\W*(?:mpn|manufacturer(?:'s)? (?:part|ref)|mfr\.? ?part|model(?: (?:number|no|code|name))?|hersteller\w*nummer"
    r"|part ?(?:number|no))\b",
    re.I,
)  # fmt: skip
BRAND_LABEL = re.compile(
    r"^\W*(?:brand(?: name)?|manufacturer|marke|hersteller|marque|fabricant|marca|fabricante|produttore|merk|fabrikant"
    r"|marka|producent|značka|výrobca|márka|бренд|производитель|品牌|מותג)\s*(?::|$)",
    re.I,
)  # fmt: skip
GTIN_LABEL = re.compile(
    r"^\W*(?:ean|gtin|upc|isbn|jan|barcode|strichcode|code[- ]barres)\b",
    re.I,
)
SPONSORED = re.compile(
    r"^\W*(?:sponsored|ad|ads|advertisement|promoted|anzeige|gesponsert|sponsorisé|patrocinad[oa]|sponsorizzat[oa]"
    r"|gesponsord|sponsorowan[ey]|реклама)\b",
    re.I,
)  # fmt: skip
_CONDITION_WORDS: tuple[tuple[Condition, re.Pattern[str]], ...] = (
    ("open_box", re.compile(r"\b(?:open[- ]box|b-ware|boîte ouverte|scatola aperta|caja abierta)\b", re.I)),
    (
        "refurbished",
        re.compile(
            r"\b(?:refurbished|renewed|reconditioned|remanufactured|generalüberholt|reconditionn?é\w*|reacondicionad\w+"
            r"|recondicionad\w+|ricondizionat\w+|odnowion\w+|repasovan\w+)\b",
            re.I,
        ),
    ),
    (
        "used",
        re.compile(
            r"\b(?:used|pre-?owned|second[- ]?hand|gebraucht|d'occasion|occasion|usad[oa]s?|usat[oa]|segunda mano"
            r"|tweedehands|gebruikt|używan\w+|použit\w+)\b",
            re.I,
        ),
    ),
    (
        "new",
        re.compile(
            r"\b(?:brand new|new(?: with(?:out)? (?:tags|box))?|neu|neuf|nuevo|novo|nuovo|nieuw|nowy|nový"
            r"|новый)\b|新品|全新",
            re.I,
        ),
    ),
)
"""In order of precedence, worse conditions first: "like new, used" is used."""


def read_condition(value: object) -> Condition:
    """Read a condition from schema.org, OpenGraph or a page's state, which may also be in words."""
    text = str(value or "").strip()
    bare = re.sub(r"[\W_]", "", text.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]).lower()
    if bare in _CONDITIONS:
        return _CONDITIONS[bare]
    return next((condition for condition, words in _CONDITION_WORDS if words.search(text)), "unknown")
