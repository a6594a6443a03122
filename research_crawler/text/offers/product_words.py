"""Words for kinds of products: names of the same kind, and of what is sold beside a product."""

from typing import Final

SAME_KIND: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(names.split())
    for names in (
        "laptop notebook ultrabook macbook chromebook portátil portatil",
        "tv television televisor fernseher téléviseur telewizor",
        "fridge refrigerator kühlschrank réfrigérateur frigorífico",
        "phone smartphone handy mobile móvil",
        "headphone headset earphone earbud kopfhörer casque auriculares",
        "bike bicycle fahrrad vélo bicicleta",
        "vacuum hoover staubsauger aspirateur aspiradora",
        "sofa couch",
        "stroller pram pushchair buggy kinderwagen poussette",
        "monitor display bildschirm",
        "printer drucker imprimante impresora",
        "dishwasher geschirrspüler spülmaschine lave-vaisselle lavavajillas",
        "washer waschmaschine lave-linge lavadora",
        "blender mixer",
        "jacket coat jacke",
        "shoe trainer sneaker schuh",
        "backpack rucksack",
        "lamp light leuchte lampe",
    )
)
"""Words by which shops name the same kind of thing."""
WEAK_HEADS: Final = frozenset(
    """
    machine maker card set system player device unit tool appliance gerät maschine appareil
    """.split()  # noqa: SIM905
)
"""Nouns that name a kind only with the word before them: a washing machine, a sewing machine."""
BESIDE: Final = frozenset(
    """
    accessory accessories adapter adaptor backpack bag bags band basket battery beans blade bracket brush bulb burr
    cable case charger charging cleaner cleaning cooler cooling cover decal descaler descaling desk detergent dock
    docking filter film foil gasket glove handle hinge holder hose keyboard kit lens lid lock manual mat motherboard
    mainboard mount mouse mousepad mug nozzle pad part parts pods pouch powder powerbank protector remote replacement
    rinse salt seal shell shelf skin skins sleeve spare sponge stand sticker stickers strap stylus tablets tabs tray
    warranty insurance gpu ram ssd
    akku adapterkabel entkalker ersatz ersatzteil filter folie halter halterung handbuch hülle kabel kühler ladegerät
    ladekabel netzteil reiniger schutz schutzfolie schutzhülle ständer tasche tastatur zubehör
    accessoire batterie câble chargeur clavier coque détartrant étui filtre housse nettoyant protection sac support
    accesorio batería cargador funda maletín mochila protector soporte teclado
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Parts and accessories: after the word for a product they make it another one (a laptop sleeve), and a name that has
one of them and not that word is not the product."""
ASKING_TO_BUY: Final = frozenset(
    """
    buy purchase order kaufen bestellen suche gesucht acheter achète commander cherche comprar busco acquistare cerco
    kopen bestel kupić kup pas cher bon marché barato barata economico goedkoop tani tanie günstig günstige günstigen
    günstiger günstigste günstigsten billig billige billiger preiswert preiswerte
    """.split()  # noqa: SIM905
)
"""Words of people who want to buy, which are no part of the product's name."""
CHEAP: Final = frozenset(
    """
    cheap cheaper cheapest affordable budget inexpensive economical bargain günstig günstige günstigen günstiger
    günstigste günstigsten billig billige billiger billigste preiswert preiswerte abordable barato barata baratos
    baratas económico economico goedkoop goedkope tani tanie tania
    """.split()  # noqa: SIM905
)
"""Words that ask for a low price without naming one."""
