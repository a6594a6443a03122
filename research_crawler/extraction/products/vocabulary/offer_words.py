"""The words of shops, in many languages: condition, buying, and labels of article numbers.

Those of stock are in `stock_words`.
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
    r"|add to (?:tote|trolley)|bag it|buy (?:tickets?|online|with)|order (?:now|online)"
    r"|(?:place|enter|submit) (?:a |your )?(?:bid|order)"
    r"|bid now|checkout|get tickets|book now|start order|contact supplier|pre-?order(?: now)?|add to (?:pre-?order)"
    r"|in den (?:warenkorb|einkaufswagen|einkaufskorb|korb)|(?:jetzt|sofort|online)[ -]?(?:kaufen|bestellen)"
    r"|vorbestellen"
    r"|ajouter (?:au|dans (?:le|mon)|à mon) (?:panier|sac|cabas)|acheter|j['’]achète|commander|précommander"
    r"|achat immédiat"
    r"|(?:añadir|agregar|anadir) (?:al? (?:la |mi )?)(?:carr\w+|cesta|bolsa)|comprar|pujar"
    r"|adicionar (?:ao|à) (?:carrinho|sacola|cesto)|aggiungi (?:al|alla) (?:carrello|borsa)"
    r"|compra(?:lo)? (?:subito|ora)|acquista|ordina ora"
    r"|(?:in|aan) (?:mijn |de )?winkel(?:wagen"
    r"|mand)\w*|bestel(?:len)?(?: nu)?|koop nu|zum warenkorb|do koszyka|dodaj do koszyka|kup teraz|zamów"
    r"|kupi(?: odmah)?|naruči|naroči|dodaj v (?:voziček|košarico)|į krepšelį|pirkt[i]?|lisa (?:ostu)?korvi|gro[zž]ā"
    r"|grozam"
    r"|do košíku|do košíka|vložit do|koupit|kúpiť|kosárba|megveszem|adaug[ăa](?:[țt]i)? [iî]n co[sș]|cump[ăa]r[ăa]"
    r"|l[äa]gg i (?:varukorg|kundvagn)\w*|lägg till i \w+|köp|legg i handle\w+|kjøp"
    r"|(?:læg|tilføj) (?:i|til) (?:indkøbs)?kurv\w*|køb"
    r"|lisää (?:ostos)?kor\w+|osta|sepete ekle|satın al|hemen al|προσθήκη στο καλάθι|αγορά|στο καλάθι|u košaricu"
    r"|dodaj u (?:korpu|košaricu)|v košarico"
    r"|в корзину|добавить в корзину|купить|заказать|оформить заказ|до кошика|у кошик|купити|замовити|купи|в количката"
    r"|поръчай"
    r"|thêm vào giỏ|mua (?:ngay|hàng)|beli|tambah(?:kan)? ke (?:troli|keranjang))\b"
    r"|カート(?:に|へ)(?:入れる|追加)|カゴに入れる|買い物かご|ご購入|注文する|添加到购物车|카트에 추가|เพิ่มลง"
    r"|今すぐ(?:買う|購入)|購入する|加入购物车|加入購物車|立即购买|立即購買|我要買|直接購買|放入購物車|장바구니"
    r"|구매하기|바로구매|หยิบใส่ตะกร้า|ซื้อ"
    r"|הוס(?:ף|פה) לסל|קנה עכשיו|לרכישה|أضف (?:إلى|الى) (?:السلة|العربة)|اشتر",
    re.I,
)  # fmt: skip
BUY_NAME = re.compile(
    r"(?:^|[^a-z])add[-_]?(?:item[-_]?)?to[-_]?(?:cart|basket|bag|trolley)|buy[-_]?(?:now|button|btn)(?:[^a-z]|$)"
    r"|(?:btn|button)[-_](?:buy|cart)(?:[^a-z]|$)",
    re.I,
)
"""The id, name or class of a buy button, whatever language its label is in."""
CONDITION_LABEL = re.compile(
    r"(?:item )?(?:condition|zustand|état|estado|condizion[ei]|staat|stan|stav|skick|tilstand|kunto|stare|állapot"
    r"|состояние)\s*(?::|$)",
    re.I,
)
SKU_LABEL = re.compile(
    r"^\W*(?:sku|(?:item|article|art|product|prod|catalog(?:ue)?|part|model|stock|style|reference|ref|listing"
    r"|lot|order|cat|web|store)[ .-]*"
    r"(?:(?:number|num|code|no|nr|id|ref(?:erence)?)\b|#|№)|item ?#|ref(?:erence|erencia|erência|\.|:)"
    r"|(?:ebay )?item number|(?:artikel|bestell|produkt|waren|art)[ .-]*(?:nummer|nr|code|kod|nr\.)"
    r"|référence|réf\.?|code (?:article|produit)|código(?: (?:de|do) (?:artículo|producto|produto|item))?"
    r"|referencia|referência|cod(?:ice)?\.?(?: (?:articolo|prodotto|produs|produktu))?"
    r"|artikelnummer|varenummer|varenr\.?|tuotenumero|tuotekoodi|nr kat\w*|kod (?:produktu|towaru|producenta"
    r"|zboží|tovaru)|kód(?: (?:produktu|tovaru|zboží))?|katalogov[ée] číslo"
    r"|obj\w*\. ?č\w*\.?|cikkszám|termékkód|ürün kodu|stok kodu|κωδικός|šifra(?: (?:artikla|proizvoda))?"
    r"|kataloški broj|артикул|арт\.|код(?: (?:товара|товару|модели))?|№"
    r"|mã (?:sp|sản phẩm|hàng)|商品(?:编号|編號|番号|コード|货号)|货号|貨號"
    r"|品番|型番|상품(?:번호|코드)|รหัสสินค้า|מק[\"״']?ט"
    r"|מספר (?:פריט|מוצר)|رمز المنتج|رقم (?:المنتج|الصنف)|кодът?)"
    r"\s*(?:[:#№]|\.|$|(?=\d)|[-–](?=\s|$))",
    re.I,
)  # fmt: skip
MPN_LABEL = re.compile(
    r"^\W*(?:mpn|manufacturer(?:'s)? (?:part|ref)|mfr\.? ?part|model(?: (?:number|no|code|name))?"
    r"|hersteller\w*nummer|part ?(?:number|no))\b", re.I
)  # fmt: skip
BRAND_LABEL = re.compile(
    r"^\W*(?:brand(?: name)?|manufacturer|marke|hersteller|marque|fabricant|marca|fabricante|produttore|merk"
    r"|fabrikant|marka|producent|značka|výrobce|výrobca|márka|gyártó|brend"
    r"|producător|varumärke|tillverkare|merke|mærke|producent|tuotemerkki|valmistaja|μάρκα|κατασκευαστής"
    r"|proizvođač|бренд|производитель|марка|виробник|thương hiệu|品牌|ブランド|メーカー|브랜드|제조사|מותג|יצרן"
    r"|العلامة التجارية)\s*(?::|$)",
    re.I,
)  # fmt: skip
GTIN_LABEL = re.compile(
    r"^\W*(?:ean|gtin|upc|isbn|jan|barcode|strichcode|code[- ]barres|штрих-?код|čiarový kód)\b", re.I
)
SPONSORED = re.compile(
    r"^\W*(?:sponsored|ad|ads|advertisement|promoted|anzeige|gesponsert|sponsorisé|patrocinad[oa]"
    r"|sponsorizzat[oa]|gesponsord|sponsorowan[ey]|sponzorovan[éo]|реклама|スポンサー|広告|广告|贊助|광고)\b",
    re.I,
)  # fmt: skip
_CONDITION_WORDS: tuple[tuple[Condition, re.Pattern[str]], ...] = (
    ("open_box", re.compile(r"\b(?:open[- ]box|b-ware|boîte ouverte|scatola aperta|caja abierta)\b", re.I)),
    (
        "refurbished",
        re.compile(
            r"\b(?:refurbished|renewed|reconditioned|remanufactured|generalüberholt|reconditionn?é\w*|reacondicionad\w+"
            r"|recondicionad\w+|ricondizionat\w+|odnowion\w+|repasovan\w+|восстановлен\w+)\b",
            re.I,
        ),
    ),
    (
        "used",
        re.compile(
            r"\b(?:used|pre-?owned|second[- ]?hand|gebraucht|d'occasion|occasion|usad[oa]s?|usat[oa]|segunda mano"
            r"|tweedehands|gebruikt|używan\w+|použit\w+|begagnad|brugt|brukt|käytetty|б/у|подержан\w+)\b|中古|二手|중고",
            re.I,
        ),
    ),
    (
        "new",
        re.compile(
            r"\b(?:brand new|new(?: with(?:out)? (?:tags|box))?|neu|neuf|nuevo|novo|nuovo|nieuw|nowy|nový"
            r"|новый|новое)\b|新品|全新",
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
