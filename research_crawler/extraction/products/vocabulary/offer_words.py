"""The words of shops, in many languages: availability, condition, buying, and labels of article numbers."""

import re

from research_crawler.core.models.products import Availability, Condition

_SCHEMA: dict[str, Availability] = {
    "instock": "in_stock", "onlineonly": "in_stock", "instoreonly": "in_stock", "madetoorder": "in_stock",
    "available": "in_stock", "availablefororder": "backorder", "outofstock": "out_of_stock", "soldout": "out_of_stock",
    "discontinued": "out_of_stock", "reserved": "out_of_stock", "unavailable": "out_of_stock",
    "notavailable": "out_of_stock",
    "preorder": "preorder", "presale": "preorder", "backorder": "backorder", "limitedavailability": "limited",
    "lowstock": "limited", "limited": "limited", "oos": "out_of_stock", "pending": "out_of_stock",
    "ended": "out_of_stock", "true": "in_stock", "false": "out_of_stock", "yes": "in_stock", "no": "out_of_stock",
}  # fmt: skip
_CONDITIONS: dict[str, Condition] = {
    "newcondition": "new", "new": "new", "usedcondition": "used", "used": "used", "preowned": "used",
    "refurbishedcondition": "refurbished", "refurbished": "refurbished", "renewed": "refurbished",
    "damagedcondition": "used", "openbox": "open_box", "opened": "open_box",
}  # fmt: skip

OUT_OF_STOCK = re.compile(
    r"\b(?:out[ -]of[ -]stock|sold[ -]out|(?:currently|temporarily) unavailable|no longer available"
    r"|not (?:currently )?available"
    r"|unavailable|discontinued|no longer (?:sold|in stock)|(?:listing|auction|bidding|item"
    r"|sale) (?:has )?(?:ended|closed)"
    r"|this (?:item|ad|listing) (?:is |has been )?(?:sold|expired|removed)|not in stock"
    r"|(?:can(?:'t|’t|not)|not) (?:currently )?(?:be )?(?:bought|purchased?|ordered) (?:right now|at the moment|online)"
    r"|cannot (?:currently )?be (?:bought|purchased|ordered)|not available (?:for|to) (?:purchase|buy|order)"
    r"|kann (?:derzeit |zurzeit |momentan )?nicht (?:bestellt|gekauft) werden|nicht (?:bestellbar|käuflich)"
    r"|ne peut (?:pas|plus) être (?:commandée?|achetée?)|no se puede comprar|non (?:è )?acquistabile"
    r"|niet (?:meer )?te koop"
    r"|nie (?:można|mozna) kupić|nie je možné (?:\w+ )?(?:kúpiť|objednať)|není možné (?:\w+ )?(?:koupit|objednat)"
    r"|nem vásárolható|нельзя (?:купить|заказать)|недоступ(?:ен|на|но) для заказа"
    r"|ausverkauft|nicht (?:mehr )?(?:verfügbar|lieferbar|vorrätig|auf lager|erhältlich)|derzeit nicht"
    r"|vergriffen"
    r"|épuisée?s?|en rupture|rupture de stock|indisponible|plus disponible|non disponible|victime de son succès"
    r"|agotad[oa]s?|no disponible|sin (?:stock|existencias)|fuera de stock|esgotad[oa]s?|indispon[ií]vel"
    r"|sem (?:stock|estoque)"
    r"|esaurit[oa]|non disponibile|terminat[oa]|uitverkocht"
    r"|niet (?:meer )?(?:op voorraad|voorradig|leverbaar|beschikbaar)"
    r"|tijdelijk niet"
    r"|wyprzedan[ey]|niedostępn[yae]|brak (?:w magazynie|towaru)|chwilowo niedostępny|vyprod[aá]n[oýé]"
    r"|nie je (?:na sklade|skladom|dostupn[ýé])|nie skladom"
    r"|není (?:skladem|na skladě)|nedostupn[ýé]|vypredan[éý]|momentálne nedostupné|elfogyott|nincs (?:raktáron"
    r"|készleten)"
    r"|nem (?:elérhető|rendelhető)|stoc epuizat|indisponibil|nu este (?:in|în) stoc|slut i lager|slutsåld"
    r"|ej i lager"
    r"|utsolgt|ikke på lager|udsolgt|loppunut|ei (?:varastossa|saatavilla)|tükendi|stokta yok|mevcut değil|εξαντλ\w+"
    r"|μη διαθέσιμο"
    r"|rasprodano|nije dostupno|nema na (?:zalihi|stanju)|ni na zalogi|razprodano|išparduota|izpārdots"
    r"|läbi müüdud"
    r"|нет в наличии|нет на складе|распродано|закончил(?:ся|ось|ась|ись)|снят[оа]? с (?:продажи|производства)"
    r"|товар отсутствует"
    r"|немає в наявності|закінчи(?:вся|лось|лась)|изчерпан|няма наличност|hết hàng|stok habis|habis terjual)\b"
    r"|缺货|售罄|售完|已售完|缺貨|補貨中|完售|在庫切れ|在庫なし|品切れ|売り切れ|販売終了|품절|일시품절|판매종료"
    r"|สินค้าหมด|אזל (?:מ?ה?מלאי)?|(?:לא|אינו|איננו|אינה) (?:במלאי|זמין|זמינה)|غير متوفر|نفدت?|نفذت? الكمية|ناموجود",
    re.I,
)
NOTIFY = re.compile(
    r"\b(?:(?:notify|e-?mail|tell|alert|text|remind) me|get notified|join (?:the )?wait(?:ing )?list"
    r"|back[- ]in[- ]stock alert"
    r"|benachrichtig\w*|erinnern sie mich|verfügbarkeitsalarm|prévenez[- ]moi|m['’]avertir|me prévenir"
    r"|être (?:alerté|prévenu)e?"
    r"|av[ií]s(?:a|en|ar)me|notif[ií](?:ca|que)me|avise-?me|avvis(?:a|ate)mi|notificami|mail mij|waarschuw mij"
    r"|houd me op de hoogte|powiadom\w*|hlídat dostupnost|strážiť dostupnosť|upozorni(?:t|ť)|értesít\w*|anunță-?mă"
    r"|meddela mig|bevaka|varsle meg|giv mig besked|ilmoita minulle|haber ver|gelince haber|ενημερώστε με"
    r"|сообщить о поступлении|уведомить|повідомити)\b|入荷通知|再入荷|到货通知|到貨通知|재입고 알림",
    re.I,
)
"""An offer to say when the product is back. It says that the product is sold out only in a buy button's place."""
THIS_PRODUCT = re.compile(
    r"^\W*+(?:(?:sorry|unfortunately|leider|désolé|lo sentimos|spiacenti|helaas)\W+)?"
    r"(?:this (?:item|product|article)|dieser artikel|dieses produkt|(?:cet article|ce produit)"
    r"|est[ea] (?:artículo|producto)|quest['’]?o? ?(?:articolo|prodotto)|est[ea] (?:artigo|produto)"
    r"|dit (?:artikel|product)|ten (?:produkt|towar)|tento (?:produkt|tovar)|этот товар|данный товар)\b",
    re.I,
)
"""The beginning of a sentence about the product of the page."""
PREORDER = re.compile(
    r"\b(?:pre-?order|coming soon|vorbestell\w+|précommand\w+|reserva(?:r)? ahora|preventa|pré-venda|prenot\w+"
    r"|preordine"
    r"|pre-?reserva|förboka|forhåndsbestill|forudbestil|ennakkotilaa|przedsprzedaż|předobjedn\w+|predobjedn\w+"
    r"|предзаказ"
    r"|előrendel\w+|precomand\w+|ön sipariş)\b|予約(?:受付|する)|预售|預購|예약구매|예약판매",
    re.I,
)  # fmt: skip
BACKORDER = re.compile(
    r"\b(?:back-?order(?:ed)?|ships (?:in|within) \d+ weeks?|on order|под заказ"
    r"|nachbestellt|auf bestellung|sur commande|bajo pedido|sob encomenda|su ordinazione|op bestelling"
    r"|na zamówienie"
    r"|na objednávku|beställningsvara|bestillingsvare|tilaustuote|sipariş üzerine|rendelésre)\b|お取り寄せ|取り寄せ",
    re.I,
)  # fmt: skip
LIMITED = re.compile(
    r"\b(?:\d+ left(?=\W*$)|only \d+ (?:left|available|remaining|in stock)|last (?:one|item|few|piece)s?"
    r"|low (?:in )?stock|few left|limited stock|almost gone"
    r"|nur noch \d+|wenige (?:stück|exemplare)|plus que \d+|derni(?:er|ère)s? (?:pièce|article|exemplaire)s?"
    r"|(?:solo|sólo) quedan? \d+|últim[oa]s? (?:unidad|pieza|peça)\w*|(?:apenas|só|restam) \d+"
    r"|ultim[oi] (?:pezz|disponibil)\w+"
    r"|nog (?:maar )?\d+|ostatni\w* sztuk\w*|poslední (?:kus|ks)\w*|posledn[éý] kus\w*|utols[óo] \d* ?(?:darab"
    r"|db)|ultimele (?:bucăți|bucati|produse)|stoc limitat"
    r"|få kvar|endast \d+|kun \d+|осталось \d+|мало|последн\w+ (?:штук\w*|экземпляр\w*)|son \d+ (?:ürün"
    r"|adet))\b|残り\s?\d+|仅剩|僅剩",
    re.I,
)  # fmt: skip
IN_STOCK = re.compile(
    r"\b(?:in stock|available (?:now|online|to order|for (?:order|delivery|collection|pick-?up|shipping))"
    r"|ready to ship|\d+ (?:available|in stock)|ships (?:today|now|from)"
    r"|auf lager|(?:sofort )?(?:lieferbar|verfügbar)|vorrätig|en stock|disponibles?|em stock|em estoque"
    r"|disponíve(?:l|is)"
    r"|disponibil[ei]|op voorraad|voorradig|(?:direct|snel) leverbaar|dostępn[yae]|w magazynie|sklad[eo]m|na sklade"
    r"|na skladě|versandfertig|expédié sous|(?:usually )?(?:ships|dispatched) (?:with)?in \d+ (?:hours|days)"
    r"|raktáron|készleten"
    r"|in stoc|în stoc|i lager|på lager|varastossa|saatavilla|pe stoc|stokta var|stokta|σε απόθεμα"
    r"|διαθέσιμ\w+|na zalihi"
    r"|na stanju|dostupno"
    r"|na zalogi|yra sandėlyje|ir noliktavā|laos olemas|в наличии|есть в наличии|есть на складе|є в наявності"
    r"|в наявності"
    r"|в наличност|còn hàng|stok tersedia|tersedia)\b"
    r"|有货|有貨|現貨|现货|在庫あり|在庫有|재고 있음|มีสินค้า|במלאי|متوفر|موجود",
    re.I,
)  # fmt: skip
NOT_THE_PRODUCT = re.compile(
    r"\b(?:pick-?up|collect(?:ion)?|in[- ]stores?|chat|information|service|this (?:address|location|region)"
    r"|delivery|shipping|abholung|filiale|retrait|magasin|tienda|negozio|winkel"
    r"|(?:available|unavailable) (?:for|to|at) |review|offer|coupon|discount|payment|finance|gift"
    r"|installation)\b",
    re.I,
)
"""Other things that can be unavailable. A text that names one says nothing about the product."""
BUY = re.compile(
    r"\b(?:add to (?:(?:my|our|your|the|shopping) ){0,2}(?:cart|basket|bag|trolley|order)|buy (?:it )?now|buy online"
    r"|place bid|bid now|order now|checkout|get tickets|book now|start order|contact supplier"
    r"|in den (?:warenkorb|einkaufswagen)|jetzt kaufen|ajouter au panier|acheter|achat immédiat"
    r"|añadir (?:al carrito|a la cesta)|agregar al carr\w+|comprar"
    r"|adicionar ao carrinho|aggiungi al carrello|compra(?:lo)? subito|acquista|in (?:mijn )?winkel(?:wagen"
    r"|mand)\w*|bestel(?:len)?(?: nu)?|zum warenkorb|do koszyka|dodaj do koszyka|kup teraz"
    r"|kupi(?: odmah)?|naruči|naroči|dodaj v voziček|į krepšelį|pirkt[i]?|lisa (?:ostu)?korvi|grozā"
    r"|do košíku|do košíka|vložit do|kosárba|megveszem|adaug[ăa] [iî]n co[sș]|cump[ăa]r[ăa]"
    r"|l[äa]gg i (?:varukorg|kundvagn)\w*|köp|legg i handle\w+|kjøp|læg i kurv\w*|køb"
    r"|lisää (?:ostos)?kor\w+|osta|sepete ekle|satın al|προσθήκη στο καλάθι|στο καλάθι|u košaricu"
    r"|dodaj u (?:korpu|košaricu)|v košarico"
    r"|в корзину|добавить в корзину|купить|заказать|до кошика|у кошик|купити|купи|в количката|thêm vào giỏ"
    r"|mua ngay|beli|tambah ke troli)\b"
    r"|カートに入れる|今すぐ(?:買う|購入)|購入する|加入购物车|加入購物車|立即购买|立即購買|我要買|直接購買|放入購物車|장바구니|구매하기|바로구매|หยิบใส่ตะกร้า|ซื้อ"
    r"|הוס(?:ף|פה) לסל|קנה עכשיו|לרכישה|أضف (?:إلى|الى) (?:السلة|العربة)|اشتر",
    re.I,
)  # fmt: skip
RELATED = re.compile(
    r"\W*(?:you (?:may|might|could) (?:also )?(?:like|love|enjoy|need|be interested)|related (?:products?|items?)"
    r"|similar (?:products?|items?)|(?:customers|people|others) (?:who|also)|(?:frequently|often) bought"
    r"|recommended (?:for you|products?|items?)|we (?:also )?recommend|(?:recently|last) viewed|more (?:items )?from "
    r"|see also$|goes (?:well|great) with|complete the look|das könnte|ähnliche (?:produkte|artikel)"
    r"|kunden (?:kauften|haben|,? die)|passend dazu|zuletzt (?:angesehen|gesehen)"
    r"|vous aimerez|vous pourriez|produits (?:similaires|associés|apparentés|liés)|les clients ayant"
    r"|también (?:te|le) |te puede|productos (?:relacionados|similares)|los clientes que"
    r"|prodotti (?:correlati|simili)|potrebbe(?:ro)? (?:anche )?(?:interessar|piacer)|chi ha (?:comprato|acquistato)"
    r"|produtos (?:relacionados|similares)|quem (?:comprou|viu)|gerelateerde|vergelijkbare|anderen (?:be|kochten)"
    r"|podobne (?:produkty|towary)|mogą (?:cię|ci) |polecane|polecamy|klienci,? którzy|podobné|související|souvisejíc"
    r"|mohlo by|zákazníci|kapcsolódó|hasonló|ajánlott|produse (?:similare|asemănătoare)"
    r"|relaterade|liknande|andra köpte|relaterte|lignende|andre (?:kjøpte|købte)|samankaltais|benzer ürünler"
    r"|похожие|с этим (?:товаром|часто)|рекомендуем|вам (?:может|также|понравит)|сопутствующие|схожі|рекомендуємо"
    r"|σχετικά προϊόντα|関連商品|おすすめ|この商品を|相关(?:商品|产品)|相關|관련 상품|추천)",
    re.I,
)
"""Headings over the products that a shop shows beside the page's own."""
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


def read_availability(value: object) -> Availability:
    """Read an availability from schema.org, OpenGraph or a page's state, which may also be in words."""
    if isinstance(value, bool):
        return "in_stock" if value else "out_of_stock"
    text = str(value or "").strip()
    bare = re.sub(r"[\W_]", "", text.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]).lower()
    return _SCHEMA.get(bare) or words_of_availability(text)


def words_of_availability(text: str) -> Availability:
    """The availability that a short text states. If it states several, the worst one wins."""
    if OUT_OF_STOCK.search(text):
        return "out_of_stock"
    if PREORDER.search(text):
        return "preorder"
    if LIMITED.search(text):
        return "limited"
    if BACKORDER.search(text):
        return "backorder"
    return "in_stock" if IN_STOCK.search(text) else "unknown"


def read_condition(value: object) -> Condition:
    """Read a condition from schema.org, OpenGraph or a page's state, which may also be in words."""
    text = str(value or "").strip()
    bare = re.sub(r"[\W_]", "", text.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]).lower()
    if bare in _CONDITIONS:
        return _CONDITIONS[bare]
    return next((condition for condition, words in _CONDITION_WORDS if words.search(text)), "unknown")
