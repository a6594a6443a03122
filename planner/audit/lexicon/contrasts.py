"""Say whether two texts measure things that a word tells apart: the dead and the injured, read and written."""

from typing import Final

from planner.audit.lexicon.word_lists import WordList

_CONTRASTS: Final = tuple(
    tuple(map(WordList.of, sides))
    for sides in (
        (
            "died, dead, deaths, death, killed, kills, fatal*, lost their lives, tote*, getötet*"
            ", starb*, gestorben"
            ", mort, morts, tué*, décéd*, muert*, murier*, fallec*, uccis*, morirono, dood, doden, gedood, stierven"
            ", omgekomen, morreram, mortos, zginęło, zginęli, zabit*",
            "injur*, hurt, wounded, taken to hospital, in hospital, hospitalised, survived, survivors, verletzt*"
            ", verwundet*, blessé*, herid*, ferit*, gewond*, ferid*, ranny*, rannych",
            "missing, vermisst*, disparu*, desaparecid*, dispers*, vermist*, zaginion*",
            "infected, infizier*, infecté*, infectad*, besmet, zakażon*",
        ),
        (
            "minimum, minimal*, lowest, minima*, mínim*, mindestens, minimo, najniższ*, laagste",
            "maximum, maximal*, highest, máxim*, massim*, höchst*, hoogste, najwyższ*",
        ),
        ("before tax, without tax, plus tax, excluding tax, excluding vat, plus vat, zuzüglich mehrwertsteuer"
         ", hors taxe",
         "with tax, after tax, including tax, including vat, inklusive mehrwertsteuer, ttc"),
        ("single, one-way, one way, einfache fahrt, aller simple", "return, round trip, hin und zurück"
                                                                   ", aller-retour, ida y vuelta"),
        ("gross, brutto, brut, bruto, lordo", "net, netto, neto, netta, líquid*"),
        ("inner, innen*, intérieur*", "outer, außen*, extérieur*"),
        ("male, males, boys, männ*, hommes, hombres, uomini",
         "female*, women, girls, frauen*, femmes, mujeres, donne"),
        ("adult*, erwachsene*, volwassen*, dorosł*",
         "child, children, kids, kinder*, enfants, niñ*, bambin*, dzieci"),
        ("upload*, hochlad*", "download*, herunterlad*"),
        ("reads, reading, lesen, lecture", "writes, writing, schreib*, écriture"),
        ("input, inputs, eingang, entrée", "output, outputs, ausgang, sortie"),
        ("import*", "export*"),
        ("loaded, laden, beladen", "empty, unladen, leer"),
        ("front, vorder*", "rear, hind, hinter*"),
        ("daytime, by day, during the day, tagsüber, de jour, de día, di giorno, overdag",
         "night, nights, by night, nachts, nuit, noche, notte, noite, nocy"),
        ("outbound, outward, hinfahrt", "inbound, rückfahrt"),
        ("indoor*", "outdoor*"),
        ("arrival*, arrive*, ankunft*, llegada*", "departure*, depart*, abfahrt*, abflug*, salida*, partenz*"),
        ("urban, innerorts", "motorway*, highway*, außerorts, autoroute*"),
        ("seats, seated, sitzplätze, asientos", "standing, stehplätze"),
        ("hot, heiß*", "cold, kalt*"),
        ("wet, nass*", "dry, trocken*"),
        ("soft limit", "hard limit"),
        ("deposit, kaution, caution, fianza, cauzione, borg", "costs, cost, price, fee, kostet, preis, coûte"
                                                              ", prix, cuesta"),
    )
)  # fmt: skip
"""Sides of which a statement is about one. Words that only praise ("largest", "first") tell nothing apart."""

_KINDS: Final = tuple(
    tuple(map(WordList.of, kinds))
    for kinds in (
        (
            "dog, dogs, puppy, puppies, hund, hunde, chien, chiens",
            "cat, cats, kitten*, katze*, chat, chats",
            "horse, horses, pferd*, cheval, chevaux",
        ),
        (
            "car, cars, pkw, auto, autos, voiture*",
            "lorry, lorries, truck*, lkw, camion*",
            "bus, buses, coach, coaches",
            "train, trains, zug, züge",
            "bike, bikes, bicycle*, cyclist*, fahrrad*, vélo*",
            "motorcycle*, motorbike*, motorrad*, moto",
            "plane, planes, aircraft, flugzeug*",
            "boat, boats, ferry, ferries, schiff*",
            "pedestrian*, fußgänger*",
        ),
        ("macos, mac, macs, os x, apple", "windows", "linux, ubuntu, debian", "android", "ios, iphone*, ipad*"),
        ("chrome, chromium", "firefox", "safari", "edge"),
        ("wifi, wi-fi, wlan", "bluetooth", "ethernet, lan", "nfc", "usb"),
        ("ipv4", "ipv6"), ("arm, arm64", "x86, amd64, intel"), ("cpu, cpus", "gpu, gpus"),
        ("summer*, sommer*, été", "winter*, hiver", "autumn, herbst", "spring, frühling"),
        ("breakfast*, frühstück", "lunch*, mittagessen", "dinner*, supper, abendessen"),
        (
            "swim*, bath*, schwimm*, baden",
            "fish, fishing, angling, angeln",
            "diving, dive, tauchen",
            "boating, sailing, segeln",
            "camping, camp, zelten",
        ),
        ("photo, photos, photograph*, picture*, fotos, fotograf*", "video*, film, filming, filmen"),
        ("child, children, kids, kinder", "adult*, erwachsene*"), ("students, pupils, schüler", "teachers, lehrer"),
        ("pregnan*", "breastfe*, nursing", "elderly"), ("beginner*", "expert*, advanced"),
        ("coffee, kaffee, café", "tea, tee, thé", "milk, milch"), ("vegan*", "vegetarian*", "gluten*"),
        ("weekday*, werktag*", "weekend*, wochenende*"),
        ("json", "xml", "csv", "yaml", "pdf", "html"),
        ("mysql, mariadb", "postgres, postgresql", "sqlite", "oracle", "mongodb"),
        ("email, e-mail", "phone, telephone"), ("cash, bargeld", "card, cards, karte"),
        ("credit card", "debit card"),
    )
)  # fmt: skip
"""Things of one kind: what is said of one is not said of another one, though their vectors are near."""

_ALL_KINDS: Final = (*_CONTRASTS, *_KINDS)

_AGAIN: Final = WordList.of(
    "again, reopened, re-opened, reopening, reopens, relaunched, re-elected, a second time, once more"
    ", wieder*, erneut"
    ", abermals, de nouveau, à nouveau, rouvert*, otra vez, de nuevo, reabiert*, reabrió, di nuovo, riapert*, opnieuw"
    ", heropend*, de novo, reabert*, ponownie, znowu"
)
"""What happened again did so on another day than the first time."""


def measures_apart(one: str, other: str) -> bool:
    """Whether each text is about one of several things that are told apart, and they are about different ones."""
    for sides in _ALL_KINDS:
        mine, theirs = _sides_in(one, sides), _sides_in(other, sides)
        if mine and theirs and mine.isdisjoint(theirs):
            return True
    return False


def are_rivals(one: str, other: str) -> bool:
    """Whether two words name two things of one kind: dogs and cats, a train and a bus."""
    return any(
        _sides_in(one, kinds) and _sides_in(other, kinds) and _sides_in(one, kinds) != _sides_in(other, kinds)
        for kinds in _ALL_KINDS
    )


def _sides_in(text: str, sides: tuple[WordList, ...]) -> set[int]:
    return {n for n, side in enumerate(sides) if side.is_in(text)}


def is_repeated(one: str, other: str) -> bool:
    """Whether one text tells that something happened again, and the other one does not."""
    return _AGAIN.is_in(one) != _AGAIN.is_in(other)
