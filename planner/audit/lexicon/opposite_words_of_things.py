"""Words for opposite properties of things, programs and living beings, in the form of `opposite_words`."""

from typing import Final

PAIRS_OF_THINGS: Final = {
    "still": (
        "still, to this day, noch immer, immer noch, noch, weiterhin, toujours, encore, todavía, aún, sigue"
        ", siguen, ancora, tuttora, nog, nog steeds, ainda, nadal, wciąż",
        "no longer, any more, anymore, nicht mehr, ne plus, ya no, non più, niet meer, já não, już nie",
    ),
    "vegan": (
        "vegan, vegetarian, plant-based, dairy-free, vegetarisch, pflanzlich*, végan*, végétarien*, végétal*"
        ", vegano, vegana, vegetarian*, plantaardig, wegańsk*",
        "",
    ),
    "waterproof": (
        "waterproof, watertight, water-resistant, rainproof, splash-proof, wasserdicht*, wasserfest*, étanche*"
        ", imperméable*, impermeable*, impermeabil*, waterdicht, impermeáve*, wodoodporn*",
        "",
    ),
    "quiet": (
        "quiet, silent, noiseless, leise, geräuschlos, silencieu*, silencios*, silenzios*, stil, cich*",
        "loud, noisy, deafening, laut, bruyant*, ruidos*, rumoros*, luid*, lawaaiig, barulhent*, głośn*",
    ),
    "genuine": (
        "genuine, authentic, real, echt*, authentique*, auténtic*, autentic*, autêntic*, prawdziw*",
        "fake, forged, forgery, counterfeit, hoax, gefälscht*, fälschung, faux, contrefaçon, fals*, vervalst*"
        ", podrobion*",
    ),
    "accessible": (
        "wheelchair accessible, accessible by wheelchair, step-free, barrier-free, barrierefrei*"
        ", rollstuhlgerecht*, rolstoeltoegankelijk",
        "inaccessible, not accessible",
    ),
    "included": (
        "included, inclusive, inbegriffen, enthalten, compris, comprise, inclus, incluid*, inclus*, inbegrepen"
        ", incluíd*, wliczon*, come with, comes with, mitgeliefert",
        "sold separately, extra charge, at extra cost, surcharge, aufpreis, en supplément, en option, aparte"
        ", a parte, niet inbegrepen",
    ),
    "replaceable": (
        "replaceable, exchangeable, swappable, removable, upgradable, upgradeable, austauschbar*, wechselbar*"
        ", remplaçable*, amovible*, reemplazable*, sostituibil*, vervangbaar, substituíve*, wymienn*",
        "soldered, glued in, non-removable, non-replaceable, verlötet, fest verbaut",
    ),
    "encrypted": (
        "encrypted, verschlüsselt*, chiffré*, cifrad*, cifrat*, crittografat*, versleuteld*, criptografad*"
        ", zaszyfrowan*",
        "unencrypted, plaintext, plain text, in the clear, unverschlüsselt*, klartext, en clair, texto plano"
        ", in chiaro",
    ),
    "standing": (
        "standing, stands, preserved, intact, erhalten, steht, debout, conservé*, en pie, conservad*, in piedi"
        ", bewaard",
        "demolished, torn down, pulled down, razed, burnt down, burned down, destroyed, abgerissen, zerstört"
        ", démoli*, détruit*, derribad*, destruid*, demolit*, abbattut*, gesloopt, afgebroken, demolid*, zburzon*",
    ),
    "independent": (
        "independent, unabhängig*, indépendant*, independiente*, indipendent*, onafhankelijk*, niezależn*",
        "subsidiary, belongs to, owned by, taken over by, acquired by, tochter, gehört zu, filiale de",
    ),
    "reversible": (
        "reversible, undone, umkehrbar*, réversible*, omkeerbaar",
        "irreversible, irréversible*, onomkeerbaar",
    ),
    "stable": (
        "stable, production-ready, stabil*",
        "experimental, unstable, beta, alpha, experimentell*, expérimental*",
    ),
    "natural": (
        "natural, naturally, natürlich*",
        "artificial, man-made, synthetic, künstlich*, artificiel*, artificial*, artificiale*, kunstmatig*",
    ),
    "completed": (
        "finish, finished, complete, completed, completes, accomplish, accomplished, fertig, fertiggestellt*"
        ", vollendet*, abgeschlossen, achevé*, terminad*, acabad*, completat*, voltooid*, ukończon*",
        "unfinished, incomplete, unvollendet*, inachevé*, inacabad*, incompiut*, onvoltooid*, niedokończon*",
    ),
    "refundable": (
        "refundable, refund, refunds, refunded, money back, erstattet, erstattung, erstattbar*, remboursable*"
        ", remboursé*, reembolsable*, rimborsabil*, terugbetaald",
        "non-refundable, nonrefundable, not refundable",
    ),
    "cancelled": (
        "cancelled, canceled, called off, scrapped, abgesagt*, annulé*, cancelad*, annullat*, afgelast, odwołan*",
        "goes ahead, take place, takes place, go ahead, went ahead, findet statt, aura lieu, se celebra",
    ),
    "successful": (
        "successful, successfully, succeeded, succeed, success, erfolgreich*, réussi*, exitos*, riuscit*"
        ", geslaagd",
        "failed, failure, unsuccessful, gescheitert*, fehlgeschlagen, échoué*, fracas*, fallit*, mislukt",
    ),
    "effective": (
        "effective, efficacious, wirksam*, efficace*, eficaz, eficaces, werkzaam, skuteczn*",
        "ineffective, useless, worthless, unwirksam*, wirkungslos*, inefficace*, ineficaz, nieskuteczn*",
    ),
    "proven": (
        "proven, proved, confirmed, verified, bewiesen, bestätigt, prouvé*, probad*, provat*, bewezen"
        ", potwierdzon*",
        "unproven, disproved, disproven, refuted, debunked, denied, widerlegt*, dementiert, réfuté*, démenti*"
        ", desmentid*, smentit*, weerlegd, obalon*",
    ),
    "solved": (
        "solved, cleared up, identified, gelöst, aufgeklärt, résolu*, resuelt*, risolt*, opgelost",
        "unsolved, unexplained, unidentified, ungelöst, ungeklärt, non résolu*",
    ),
    "rechargeable": (
        "rechargeable, recharged, wiederaufladbar*, rechargeable*, recargable*, ricaricabil*, oplaadbaar",
        "disposable, single-use, throwaway, einweg*, jetable*, desechable*",
    ),
    "adjustable": (
        "adjustable, adjusted, verstellbar*, einstellbar*, réglable*, ajustable*, regolabil*, verstelbaar",
        "fixed height, non-adjustable",
    ),
    "foldable": (
        "foldable, folds, folding, collapsible, faltbar*, klappbar*, pliable*, plegable*, pieghevol*, opvouwbaar",
        "rigid",
    ),
    "heated": (
        "heated, beheizt*, chauffé*, climatizad*, riscaldat*, verwarmd",
        "unheated, unbeheizt*",
    ),
    "inhabited": (
        "inhabited, populated, bewohnt*, habité*, habitad*, abitat*, bewoond",
        "uninhabited, deserted, unbewohnt*, inhabité*, deshabitad*, disabitat*, onbewoond",
    ),
    "endangered": (
        "endangered, threatened, rare, bedroht*, gefährdet*, menacé*, amenazad*, minacciat*, bedreigd",
        "least concern, common, widespread, ungefährdet*",
    ),
    "native": (
        "native, indigenous, endemic, heimisch*, einheimisch*, indigène*, autóctono*, autocton*, inheems*",
        "introduced, invasive, non-native, alien, eingeschleppt*, exotic",
    ),
    "contagious": (
        "contagious, infectious, transmissible, ansteckend*, übertragbar*, contagieu*, contagios*, besmettelijk",
        "not transmitted, non-contagious",
    ),
    "curable": (
        "curable, cured, cure, heilbar*, guérissable*, curable*, curabil*, geneeslijk",
        "incurable, unheilbar*, incurable*, ongeneeslijk",
    ),
    "retired": (
        "retired, in retirement, im ruhestand, retraité*, jubilad*, in pensione, gepensioneerd",
        "still working, still works, still plays, still active, noch aktiv",
    ),
    "married": (
        "married, verheiratet, marié*, casad*, sposat*, getrouwd",
        "unmarried, single, bachelor, ledig, célibataire, solter*",
    ),
    "organic": (
        "organic, organically, biologisch*, biologique*, orgánic*, ecológic*",
        "conventional, conventionally, konventionell*",
    ),
    "washable": (
        "washable, machine washable, waschbar*, lavable*, lavabil*, wasbaar",
        "dry clean only, dry-clean only, nur chemisch*",
    ),
    "furnished": (
        "furnished, möbliert*, meublé*, amueblad*, arredat*, gemeubileerd",
        "unfurnished, unmöbliert*",
    ),
    "paved": (
        "paved, asphalted, tarmac, sealed, asphaltiert*, goudronné*, asfaltad*, asfaltat*",
        "unpaved, gravel, dirt road, unbefestigt*, schotter*",
    ),
    "mutable": (
        "mutable, modifiable, veränderbar*",
        "immutable, read-only, unchangeable, unveränderlich*, constant",
    ),
    "ordered": (
        "ordered, sorted, insertion order, geordnet*, sortiert*",
        "unordered, unsorted, arbitrary order, no particular order, random order, ungeordnet*, unsortiert*",
    ),
    "synchronous": (
        "synchronous, synchronously, blocking, blocks, synchron",
        "asynchronous, asynchronously, non-blocking, nonblocking, asynchron",
    ),
    "lossless": (
        "lossless, losslessly, verlustfrei*",
        "lossy, verlustbehaftet*",
    ),
    "compiled": (
        "compiled, kompiliert*",
        "interpreted, interpretiert*",
    ),
    "static_typed": (
        "statically typed, static typing",
        "dynamically typed, dynamic typing, duck typing",
    ),
    "case_sensitive": (
        "case-sensitive, case sensitive",
        "case-insensitive, case insensitive, ignores case, regardless of case",
    ),
    "atomic": (
        "atomic, atomically",
        "not atomic, non-atomic",
    ),
    "persistent": (
        "persistent, persists, persisted, survives a restart, permanent, dauerhaft",
        "volatile, lost on restart, in memory only, ephemeral, temporary, flüchtig",
    ),
    "self_hosted": (
        "self-hosted, on your own server, on-premises, on premises, selbst gehostet",
        "cloud only, cloud-only, only in the cloud, hosted only",
    ),
    "multi_threaded": (
        "multi-threaded, multithreaded, in parallel, concurrently, parallel",
        "single-threaded, single threaded, one at a time, sequential, sequentially",
    ),
    "compatible_back": (
        "backward compatible, backwards compatible, backward-compatible, backwards-compatible, abwärtskompatibel",
        "breaking change, breaking changes, backward incompatible, backwards incompatible, backwards-incompatible",
    ),
    "cached": (
        "cached, caches, zwischengespeichert*",
        "uncached, never cached, fetched anew",
    ),
    "compressed": (
        "compressed, komprimiert*, compressé*",
        "uncompressed, raw, unkomprimiert*",
    ),
    "thread_safe": (
        "thread safe, thread-safe",
        "not thread-safe, thread-unsafe, unsafe to share",
    ),
    "nocturnal": (
        "nocturnal, at night, nachtaktiv*",
        "diurnal, by day, during the day, tagaktiv*",
    ),
    "automatic": (
        "automatic, automatically, automatisch*, automatique*",
        "manually, by hand, manuell, von hand, manuellement",
    ),
    "binding": (
        "binding, verbindlich*, contraignant*, vinculante*",
        "non-binding, nonbinding, advisory, unverbindlich*",
    ),
    "tax_free": (
        "tax-free, tax free, tax-exempt, untaxed, steuerfrei*",
        "taxed, taxable, subject to tax, steuerpflichtig*, versteuert",
    ),
    "drinkable": (
        "drinkable, potable, drink, drunk, trinkbar*, potable*, potabil*, drinkbaar",
        "undrinkable, not fit for drinking, unfit for drinking, unfit to drink",
    ),
    "winning": (
        "win, won, wins, victory, gewann, gewonnen, gagné*, ganó, vinto, vinse",
        "lose, lost, loses, defeat, defeated, beaten, verlor, verloren, perdu, perdió, perso",
    ),
    "reusable": (
        "reusable, reused, reuse, wiederverwendbar*, réutilisable*, reutilizable*, riutilizzabil*, herbruikbaar",
        "single use, single-use, disposable, throwaway, einweg*, jetable*, desechable*",
    ),
    "dairy": (
        "milk, dairy, lactose, milch, lait, leche, latte, melk",
        "dairy-free, lactose-free, milk-free, without milk, laktosefrei*, milchfrei*, sans lactose, sin lactosa",
    ),
    "gluten": (
        "gluten, wheat, weizen",
        "gluten-free, wheat-free, without gluten, glutenfrei*, sans gluten, sin gluten, senza glutine",
    ),
    "alcohol": (
        "alcohol, alcoholic, alkohol*",
        "alcohol-free, non-alcoholic, alkoholfrei*, sans alcool, sin alcohol, analcolic*",
    ),
    "sugar": (
        "sugar, sweetened, zucker",
        "sugar-free, unsweetened, no added sugar, zuckerfrei*, sans sucre, sin azúcar",
    ),
    "caffeine": (
        "caffeine, koffein",
        "caffeine-free, decaffeinated, decaf, koffeinfrei*, entkoffeiniert*",
    ),
    "lit": (
        "lit, lighted, illuminated, beleuchtet*, éclairé*, iluminad*, illuminat*, verlicht",
        "unlit, unlighted, unbeleuchtet*",
    ),
    "guarded": (
        "guarded, staffed, supervised, manned, bewacht*, surveillé*, vigilad*",
        "unguarded, unattended, unstaffed, unmanned, unsupervised, unbewacht*",
    ),
    "covered": (
        "covered, roofed, überdacht*, couvert*, cubiert*, coperto, overdekt",
        "open-air, uncovered, roofless, unter freiem himmel, en plein air",
    ),
    "bookable": (
        "booked, booking, reserve, reserved, reservation, buchen, reservieren, réserver, reservar, prenotare"
        ", reserveren",
        "first come, first-come, first served, cannot be booked, no reservations",
    ),
    "licensed": (
        "licensed, registered, certified, zertifiziert*, certifié*, certificad*",
        "unlicensed, unregistered, uncertified",
    ),
}  # fmt: skip
"""By a name, the words by which a question asks for one of two properties, and by which a statement tells it."""
