"""How shops state that a product can be bought, or cannot, in many languages: the phrases of `stock_words`.

Languages have lines of their own; neighbours share some. In a phrase, `#` is a number, `?` at most one word of any
kind, `a/b` either word, `*` any ending. `=` before it means that the text says nothing else, `~` nothing else but a
label ("Stock: none"), `$` after it that the text ends with it. Capitals, accents and hyphens do not count. A denied
phrase of IN_STOCK ("not in stock", "ei varastossa") needs no phrase of its own.
"""

from typing import Final

OUT_OF_STOCK: Final = """
out of stock|outofstock|sold out|soldout|currently/temporarily ? unavailable|unavailable
no longer available/sold/made/produced
not ? ? available|discontinued|listing/auction/bidding/item/sale ? ended/closed
this item/ad/listing/product is/was/has sold$|this item/ad/listing/product ? ? expired/removed/gone
not ? for sale|awaiting stock|back in stock soon|expected back|more on the way
cannot/not ? be bought/purchased/purchase/ordered|no/zero stock|~none|~0
~no/nein/non/nee/nej/nei/nie/nem/нет/немає/няма/hayır|retired product|end of life|no longer in production
we do not know when|unavailable for purchase|out of print|no stock available
ausverkauft|vergriffen|nicht ? verfügbar/lieferbar/vorrätig/lagernd/erhältlich/bestellbar/käuflich|derzeit nicht
nicht ? auf/an/am lager
nicht ? bestellt/gekauft werden|nicht zur verfügung|steht ? nicht zur verfügung|liefertermin unbekannt|auslaufartikel
kein bestand|abverkauft
épuisé|épuisée|épuisés|épuisées|rupture ? stock|en rupture|rupture définitive|indisponible*
plus ? disponible/commercialisé|plus en stock
victime de son succès|produit arrêté|de retour en stock|non disponible|pas disponible
ne peut pas/plus être commandé/commandée/acheté/achetée
agotado|agotada|agotados|agotadas|no ? disponible|sin stock/existencias|fuera de stock|descatalogado
no hay stock/existencias|no se puede comprar
esgotad*|indisponivel|indisponiveis|não ? disponível|sem stock/estoque|fora de stock/estoque|descontinuad*
esaurit*|non ? disponibile|non ? acquistabile|terminato|terminata|fuori produzione|fuori catalogo|non in stock
uitverkocht|niet ? leverbaar/beschikbaar/voorradig|niet ? op voorraad|tijdelijk niet|geen voorraad|niet ? te koop
uit assortiment
wyprzedan*|niedostępn*|brak w magazynie|brak na stanie|brak towaru/produktu|wycofan* ze sprzedaży|nakład wyczerpany
nie można kupić
vyprodán*|vyprodan*|nedostupn*|prodej ukončen|již se nevyrábí|není dostupné|není možné ? koupit/objednat
vypredan*|predaj ukončený|nie je ? možné ? kúpiť/objednať|už sa nevyrába|nie je dostupn*
elfogyott|nincs raktáron/készleten|nem ? elérhető/rendelhető/kapható/vásárolható|készlethiány|kifutott
stoc epuizat|epuizat|indisponibil|stoc 0|lipsă stoc|nu ? ? in stoc/disponibil|nu este ? disponibil
slut i lager|slutsåld|slutsålt|tillfälligt slut|slut online|=slut|=tyvärr slut|utgått|utgången|utgående
inte/ej tillgänglig|ej i lager
utsolgt|tomt på lager|utgått ? sortimentet|utilgjengelig|ikke tilgjengelig|udsolgt|utilgængelig|ikke tilgængelig
=udgået|=utgået|udgået ? sortimentet
loppuunmyy*|loppunut|loppu varastosta|tilapäisesti loppu|varasto loppu|=tuote on loppu|=loppu|poistunut valikoimasta
ei saatavi*|ei saatavana
tükendi|tükenmiş*|stokta/stoklarda yok|stokta değil|mevcut değil|temin edilemiyor|satışa kapalı
εξαντλ*|μη διαθέσιμο|δεν ? διαθέσιμο|εκτός αποθέματος
нет в наличии/продаже|нет на складе|распродан*|закончился|закончилась|закончилось|закончились
снят с продажи/производства|недоступ*|раскупили
временно отсутствует|товар отсутствует|~отсутствует|=продано|=продан|нельзя купить/заказать|временно недоступен
немає/нема в наявності|немає/нема на складі|закінчився|закінчилась|закінчилося|закінчились|розпродан*
знято з виробництва|=продано
изчерпан*|няма наличност|няма в/на наличност/склад|не е ? наличен/налична/налично|неналичен|неналична|неналично
rasprodan*|nedostupn*|nije ? dostupan/dostupna/dostupno|nema na zalihi/stanju|nije ? na zalihi/stanju/lageru
razprodan*|ni ? na zalogi/voljo
išparduot*|išpirkt*|nėra sandėlyje|prekės nėra|neturime|izpārdots|izpārdota|nav pieejam*|nav noliktavā|läbi müüdud
=otsas|laost otsas|pole laos|ei ole saadaval
hết hàng|đã bán hết|ngừng kinh doanh|không còn hàng|stok habis/kosong|habis terjual|=habis|tidak tersedia|tidak dijual
缺货|缺貨|售罄|售完|补货中|補貨中|完售|无货|無貨|已下架|已停产|已停產|无库存|沒有庫存|没有库存|暂无库存
在庫切れ|在庫なし|品切れ|売り切れ|売切れ|販売終了|完売|入荷待ち|入荷未定|取り扱い終了|取り扱いできません|取扱終了
품절|판매종료|판매중지|매진|재고 없음|재고없음|สินค้าหมด|ขายหมด|ไม่มีสินค้า|=หมด
אזל|אזל מהמלאי|אזל במלאי|חסר במלאי|לא/אינו/איננו/אינה במלאי/זמין/זמינה|אזלה|غير متوفر|غير متاح|نفد|نفدت|نفذ من المخزون
نفذت الكمية|نفدت الكمية|انتهى من المخزون
ناموجود|اتمام موجودی|स्टॉक में नहीं|आउट ऑफ स्टॉक|उपलब्ध नहीं
"""
LIMITED: Final = """
# ? left$|only/just # left/available/remaining|only/just # ? in stock|only/just # item/items/piece/pieces left
last one/item/few/piece/pieces|last items/pieces in stock
low stock|lowstock|low in stock|few ? left|few in stock|limited stock|limited quantity|=limited availability
almost gone|almost/nearly sold out|=last chance|selling out fast
nur noch # |wenige/letzte stück/stücke/exemplare/artikel|wenige verfügbar|nur noch wenige|geringer bestand
knapper lagerbestand|=begrenzt verfügbar|fast ausverkauft|=restposten
plus que #|dernière/dernières pièce/pièces|dernier/derniers article/articles/exemplaire/exemplaires
stock limité/faible|reste plus que #|reste que #|bientôt/presque épuisé/épuisée
solo/sólo queda/quedan #|última/últimas/último/últimos unidad/unidades/pieza/piezas|pocas unidades|stock limitado
quedan pocas
últimas/última unidades/unidade/peças/peça|restam #|só resta #
apenas/só # ? unidades/unidade/restantes/disponíveis/disponível|poucas unidades
ultimi/ultimo pezzi/pezzo/disponibili/disponibile|ultimi # disponibili|ultimi articoli|solo # rimast*
disponibilità/quantità limitata|=disponibilità limitata
nog ? # stuks/op/beschikbaar/over/exemplaren/leverbaar|bijna uitverkocht|laatste stuk/stuks|beperkt leverbaar
beperkte voorraad|=op is op
ostatni* sztuk*|mała ilość|niewiele sztuk|na wyczerpaniu|pozostało # szt
poslední kus/kusy/ks|poslední # ks/kusy|posledních # kusů|zbývá # ks|zbývají # ks|skoro vyprodáno|posledný kus
posledné kusy|zostáva # ks|posledných # kusov
utolsó ? darab*|utolsó # db/darab|kevés ? raktáron|alacsony készlet|ultimele bucăți/produse|ultimele # bucăți/produse
ultimul produs|stoc limitat
få kvar|fåtal ? lager|fåtal kvar|endast/bara # ? kvar|endast # i lager|få på lager|få igjen|få tilbage
kun # igjen/tilbage/stk|kun # ? på lager|kun få på lager|vain # jäljellä|viimeiset kappaleet
son # ürün/adet|sınırlı stok|tükenmek üzere
осталось #|осталось мало|остался #|~мало|заканчивается
последняя/последний/последние/последних штука/штуки/экземпляр/экземпляры|залишилось #|закінчується
残り#|残りわずか|在庫わずか|在庫僅少|残りあと|仅剩|僅剩|库存紧张|即将售罄|庫存緊張
"""
PREORDER: Final = """
pre order*|preorder*|coming soon|pre sale|available for pre order
vorbestell*|erscheint demnächst/am|demnächst verfügbar/erhältlich|précommand*|bientôt disponible|à paraître
preventa|pre venta|reserva ahora/ya|reservar ahora|próximamente|disponible próximamente|preordenar|pre reserva
prereserva
pré venda|pré encomenda|em breve|preordin*|prenota ora|prenotabile|prenotazione|prossimamente|=in arrivo|reserveer nu
binnenkort verwacht/leverbaar/beschikbaar
przedsprzedaż|zapowiedź|wkrótce w sprzedaży|dostępne wkrótce|předobjedn*|predobjedn*|připravujeme|pripravujeme
előrendel*|hamarosan|precomand*|în curând|förhandsbok*|förbeställ*|förboka|kommer snart|forhåndsbestill*|forudbestil*
ennakkotila*|tulossa pian
ön sipariş*|çok yakında|предзаказ*|скоро в продаже|передзамовл*
予約受付|予約する|予約販売|近日発売|预售|預購|预购|即将上市|即將推出|예약구매|예약판매|출시 예정
"""
BACKORDER: Final = """
back order*|backorder*|back orderable|ships/dispatched in/within # weeks|usually ships/dispatched in/within # weeks
=on order|# on order|special order
nachbestellt|auf bestellung|lieferrückstand|bei nachlieferung|bestellware|lieferzeit ? # wochen|lieferbar in # wochen
sur commande|en réapprovisionnement|bajo pedido|por encargo|disponible para reserva|sob encomenda|por encomenda
su ordinazione|op bestelling|nabestelling
na zamówienie|na objednávku|na objednání|rendelésre|la comandă|beställningsvara|restnoterad|bestillingsvare|restordre
tilaustuote|jälkitoimitu*
sipariş üzerine|под заказ|на заказ|під замовлення|お取り寄せ|取り寄せ
"""
IN_STOCK: Final = """
in stock|instock|available now/online/immediately|available to order/ship
available for order/delivery/collection/pickup/shipping|immediately available|available in/from stock
available for pick up|ready to ship/dispatch|# available|# in stock|ships today/now/from|ships same day
same day dispatch
ships/dispatched/dispatches ? in/within # hour/hours/day/days
ships/dispatched/dispatches ? in/within # business/working day/days|=available|=available #|=stock #|stock available
~yes
auf lager|lagernd|ab/am lager|an lager|lieferbar|verfügbar|vorrätig|versandfertig
lieferzeit ? # tag/tage/tagen/werktag/werktage/werktagen|lagerbestand #|=bestand #|=erhältlich|auf vorrat
en stock|disponible*|# disponible*|expédié/expédition/expédiée sous #|=dispo|=en magasin
hay existencias/stock|en existencia|envío inmediato|entrega inmediata|enviado en #|stock disponible
em stock|em estoque|disponivel|disponiveis|pronta entrega|envio imediato
disponibile|disponibili|disponibilità immediata|pronta consegna|in magazzino|spedito in #|spedizione immediata
op voorraad|voorradig|uit voorraad|leverbaar|beschikbaar|levertijd # werkdag/werkdagen/dagen|morgen in huis
dostępny|dostępna|w magazynie|na stanie|na magazynie|~dużo|=dostępne|od ręki|wysyłka w # h/godzin|=w sprzedaży
=dostępność duża ilość|wysyłka w ciągu # h/godzin
skladem|na skladě|na sklade|skladom|ihned k odeslání/odběru|ihneď k odberu|ihneď na odoslanie|=k dispozici|=dostupné
=v predaji|=v prodeji
raktáron|készleten|=elérhető|azonnal szállítható|=rendelhető|=kapható|in stoc|pe stoc|=disponibil|livrare imediată
i lager|i webblager|=tillgänglig|finns online/hemma|skickas inom #|leveranstid # dagar/vardagar|på lager|på nettlager
på fjernlager|=tilgjengelig|=tilgængelig|lagerstatus #
varastossa|saatavilla|toimitusaika # päivää|lähetetään heti|stokta|stokta var|stoktan teslim|=mevcut|aynı gün kargo
σε απόθεμα|διαθέσιμο|διαθέσιμη|άμεση παράδοση|ετοιμοπαράδοτο
в наличии|на складе|=доступен|=доступно|~много|~есть|~да|есть в продаже|в наявності|є на складі
готовий до відправлення|готово до відправки|готов к отправке|готово до відправлення
в наличност|=наличен|=налична|=налично|=на склад|има наличност|на склад
na zalihi|na stanju|dostupno|=dostupan|=raspoloživo|na skladištu|na lageru|na zalogi|=na voljo|=dobavljivo
yra sandėlyje|=sandėlyje|=turime|prekė yra|=yra prekyboje|ir noliktavā|=noliktavā|=pieejams|=ir uz vietas|laos olemas
=laos|=saadaval|=olemas|kohe saadaval
còn hàng|có hàng|sẵn hàng|tersedia|ready stock|=stok #
有货|有貨|现货|現貨|有库存|尚有庫存|库存充足|在庫あり|在庫：あり|在庫:あり|在庫有|即日発送|当日発送|即納|以内に発送
재고 있음|재고있음|당일발송|구매가능
มีสินค้า|พร้อมส่ง|במלאי|=זמין|זמין במלאי|متوفر|=متاح|موجود|स्टॉक में|उपलब्ध
"""

NEGATORS: Final = """
not no isn cannot never without nicht kein keine pas non più niet geen nie nem nincs ej inte ikke ei eivät δεν
μη όχι не нет немає нема няма ni nije nisu nema nav pole nėra không chưa tidak belum não nao není
"""
"""Words that deny the phrase after them."""
LATER_NEGATORS: Final = """
no nein non nee nej nei nie ne não nem ei нет ні не hayır yok нету
"""
"""Words that deny the phrase before them where the text ends with them: "In stock: no"."""
CONDITIONALS: Final = """
if when once until unless wenn sobald falls bis lorsque dès quand si cuando quando se als zodra wanneer jeśli
gdy když keď ha amikor dacă când om när hvis når jos kun eğer εάν όταν если когда як якщо коли
"""
"""Words after which a phrase is no statement: "when it is in stock"."""
LABELS: Final = """
availability available stock inventory verfügbarkeit lagerbestand bestand vorrätig disponibilité disponibilidad
existencias disponibilità disponibilidade estoque disponibilitate beschikbaarheid voorraad dostępność dostupnost
dostupnosť elérhetőség készlet lagerstatus lager saatavuus varasto tillgänglighet наличие наличии наявність
наличност stok διαθεσιμότητα raspoloživost razpoložljivost dostupnosť
"""
"""Words that say what a phrase is about: "Availability: yes"."""
ASIDES: Final = """
status item article product current currently online delivery now is it this on en in na på produkt produit
producto produto prodotto artikel товар durumu unit units pcs pieces stk stück ks szt шт uds adet kpl db st
"""
"""Further words that may stand beside a phrase that else has to be the whole text."""
