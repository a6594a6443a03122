"""Words for opposite properties, in the languages of reports; a `*` leaves an ending open."""

from typing import Final

PAIRS: Final = {
    "open": (
        "open, opens, reopened, wiedereröffnet, rouvert*, reabiert*, riapert*, heropend, geöffnet, offen, ouvert"
        ", ouverte, ouverts, ouvertes, abierto, abierta, abiertos, abiertas, aperto, aperta, aperti, aperte"
        ", geopend, aberto, aberta, otwart*",
        "closed, shut, geschlossen, fermé, fermée, fermés, fermées, cerrado, cerrada, cerrados, cerradas, chiuso"
        ", chiusa, chiusi, chiuse, gesloten, dicht, fechado, fechada, zamknię*",
    ),
    "free": (
        "free, free of charge, at no cost, gratis, kostenlos, kostenfrei, umsonst, gratuit*, darmow*, bezpłatn*"
        ", kosteloos, for free, at no charge, for nothing, entrada libre, entrée libre, ingresso libero"
        ", entrada livre, freier eintritt, za darmo",
        "paid, chargeable, costs, charges, charged, fee, subscription only, kostenpflichtig*, kostet, payant*"
        ", coûte, de pago, cuesta, a pagamento, costa, betaald, kost, pago, paga, custa, płatn*, kosztuje",
    ),
    "supported": (
        "supported, maintained, unterstützt, gepflegt, maintenu*, pris en charge, mantenid*, mantenut*"
        ", ondersteund, mantid*, wspieran*, patched, actively developed, being developed, under development"
        ", weiterentwickelt, in development",
        "deprecated, obsolete, unsupported, unmaintained, discontinued, abandoned, retired, end of life, removed"
        ", dropped, drops, veraltet, eingestellt, entfernt, obsolète*, abandonné*, supprimé*, obsolet*"
        ", descontinuad*, eliminad*, abandonad*, abbandonat*, rimoss*, verouderd, verwijderd, przestarzał*"
        ", usunięt*",
    ),
    "available": (
        "sold, available, on sale, in production, verkauft, erhältlich, lieferbar, vendu*, disponible*, vendid*"
        ", vendut*, disponibil*, verkrijgbaar, verkocht, leverbaar, disponíve*, dostępn*, sprzedawan*, offered"
        ", for sale, in stock, on the market, im handel, en stock, in vendita, à venda, w sprzedaży",
        "discontinued, withdrawn, unavailable, sold out, out of production, ausverkauft, eingestellt, retiré*"
        ", indisponible*, épuisé*, agotad*, descatalogad*, retirad*, esaurit*, ritirat*, uitverkocht, esgotad*"
        ", wycofan*, niedostępn*",
    ),
    "allowed": (
        "allowed, permitted, legal, lawful, welcome, erlaubt, gestattet, zulässig, permis, permise, permises"
        ", autorisé*, admis, permitid*, autorizad*, consentit*, permess*, ammess*, toegestaan, dozwolon*, legaln*"
        ", bienvenue*, bienvenus, bienvenid*, benvenut*, bem-vind*, willkommen, welkom, mile widzian*, admitted"
        ", allow, allows, permit, permits, legalised, legalized",
        "forbidden, prohibited, banned, illegal, unlawful, outlawed, verboten, untersagt, unzulässig, interdit*"
        ", illégal*, prohibid*, ilegal*, vietat*, proibit*, illegal*, verboden, proibid*, zabronion*, zakazan*"
        ", forbid, forbids, prohibit, prohibits, bans, criminalised",
    ),
    "required": (
        "compulsory, mandatory, obligatory, required, requires, require, need, needs, needed, must, necessary"
        ", have to, has to, vorgeschrieben, pflicht, verpflichtend, obligatorisch, nötig, notwendig, erforderlich"
        ", braucht, benötigt, muss, müssen, obligatoire*, nécessaire*, doit, obligatori*, necesari*, hace falta"
        ", necessari*, obbligatori*, verplicht, nodig, moet, obrigatóri*, necessári*, obowiązkow*"
        ", konieczn*, necesita*, nécessite*, besoin, necessita*, hay que, bisogno, hoeft, potrzeb*",
        "voluntary, optional, unnecessary, without any, without a, without an, without needing, needless"
        ", freiwillig, unnötig, ohne, facultatif*, facultative*, volontaire, sans, voluntari*, opcional*, sin"
        ", facoltativ*, volontari*, senza, vrijwillig, optioneel, onnodig, zonder, facultativ*, sem, dobrowoln*"
        ", opcjonaln*, bez",
    ),
    "prescription": (
        "on prescription, prescription only, prescription-only, rezeptpflichtig*, verschreibungspflichtig*"
        ", sur ordonnance, con receta, con ricetta, op recept, com receita, na receptę, rezept, prescription",
        "over the counter, without prescription, without a prescription, rezeptfrei*, sans ordonnance, sin receta"
        ", senza ricetta, zonder recept, sem receita, bez recepty",
    ),
    "safe": (
        "safe, safely, harmless, sicher, unbedenklich, ungefährlich, sûr, sûre, sans danger, inoffensi*, segur*"
        ", sicur*, innocu*, veilig, onschadelijk, bezpieczn*",
        "dangerous, unsafe, harmful, hazardous, insecure, avoid, avoided, contraindicated, gefährlich, schädlich"
        ", unsicher, dangereu*, nocif*, nociv*, peligros*, dañin*, inseguro, pericolos*, dannos*, gevaarlijk"
        ", schadelijk, onveilig, perigos*, niebezpieczn*, szkodliw*, risky, hazard, toxic, gefahr, danger",
    ),
    "poisonous": (
        "poisonous, venomous, toxic, giftig*, venimeu*, vénéneu*, toxique*, venenos*, tóxic*, velenos*, tossic*"
        ", trując*, jadowit*",
        "harmless, edible, nontoxic, non-toxic, non-poisonous, ungiftig*, harmlos, essbar, inoffensi*"
        ", comestible*, inofensiv*, innocu*, commestibil*, ongiftig, eetbaar, jadaln*, nieszkodliw*",
    ),
    "over": (
        "over, ended, finished, ends, called off, beendet, vorbei, terminé*, fini, terminad*, finalizad*, finit*"
        ", terminat*, voorbij, afgelopen, beëindigd, acabou, zakończon*, end",
        "continues, continuing, ongoing, goes on, still on, under way, dauert an, hält an, continue, se poursuit"
        ", continúa, sigue, continua, prosegue, duurt voort, gaat door, trwa, continued",
    ),
    "in_office": (
        "resigned, stepped down, left office, quit, zurückgetreten, démissionné, dimitido, dimitió, dimess*"
        ", afgetreden, demitiu-se, renunció, renunciou, ustąpił*, resign, resigns, step down, steps down",
        "remains in office, stays in office, stays on, stay on, refuses to resign, bleibt im amt"
        ", reste en fonction, sigue en el cargo, resta in carica, blijft aan, continua no cargo"
        ", pozostaje na stanowisku",
    ),
    "alive": (
        "alive, lebt, vivant*, vivo, viva, levend, living, survives, extant, in leven, żyje",
        "dead, died, tot, gestorben, mort, morte, muert*, murió, morto, morta, overleden, deceased, extinct"
        ", verstorben, ausgestorben, décédé*, fallecid*, éteint*, extint*, estint*, uitgestorven, wymarł*",
    ),
    "open_source": (
        "open source, open-source, quelloffen, código abierto, opensource, source libre, logiciel libre",
        "proprietary, closed source, closed-source, proprietär, propriétaire, propietari*, proprietari*",
    ),
    "offline": (
        "offline, without internet, without a connection, hors ligne, sin conexión, senza connessione"
        ", ohne internet, ohne netz, ohne verbindung, sans connexion",
        "online only, requires a connection, requires an internet connection, needs a connection, only online"
        ", needs an internet connection, requires internet, nur online, permanent connection, always online",
    ),
    "enabled": (
        "enabled, on by default, switched on, turned on, active, activated, aktiviert, eingeschaltet, aktiv"
        ", activé*, activad*, activo, attiv*, ingeschakeld, ativad*, włączon*",
        "disabled, off by default, switched off, turned off, inactive, deactivated, deaktiviert, ausgeschaltet"
        ", désactivé*, desactivad*, disattivat*, uitgeschakeld, desativad*, wyłączon*",
    ),
    "guilty": (
        "guilty, convicted, schuldig, verurteilt, convict",
        "innocent, acquitted, not guilty, unschuldig, freigesprochen, acquit",
    ),
    "approved": (
        "approved, accepted, adopted, passed, angenommen, genehmigt, approuvé*, adopté*, aprobad*, approvat*"
        ", aangenomen, approve, approves, adopt, adopts, ratified, ratify",
        "rejected, refused, turned down, voted down, abgelehnt, verworfen, rejeté*, refusé*, rechazad*, respint*"
        ", verworpen, reject, rejects, vetoed, veto, turn down, throw out",
    ),
    "rising": (
        "rose, risen, increased, grew, grown, gestiegen, augmenté*, aumentó, aumentad*, aumentat*, gestegen"
        ", wzrosł*, rise, rises, increase, increases, grow, grows, go up, went up, climb",
        "fell, fallen, decreased, dropped, declined, shrank, gesunken, baissé*, diminué*, bajó, diminuit*"
        ", gedaald, spadł*, fall, falls, decrease, decreases, decline, declines, drop, shrink, go down, went down",
    ),
    "public": (
        "public, öffentlich, publique, público, pubblic*, openbaar",
        "private, privat, privé*, privad*, privat*, particulier",
    ),
    "wireless": (
        "wireless, drahtlos, kabellos, sans fil, inalámbric*, senza fili, draadloos",
        "wired, verkabelt, filaire, con cable",
    ),
    "empty": (
        "empty, vacant, deserted, leer, verlassen, vide, vacío, vuoto, leeg",
        "full, occupied, voll, besetzt, plein, lleno, pieno, vol",
    ),
    "true": (
        "true, wahr, vrai, verdad*, vero, waar, prawda",
        "false, wrong, myth, untrue, falsch, faux, fals*, onwaar, fałsz",
    ),
    "visible": (
        "visible, sichtbar, visibile",
        "hidden, invisible, unsichtbar, caché*, ocult*, nascost*, verborgen",
    ),
    "manual": (
        "manual, manually, by hand, manuell",
        "automatic, automatically, automatisch",
    ),
    "secret": (
        "secret, geheim, secrète, secreto, segreto",
        "published, revealed, public, veröffentlicht, publié, publicado",
    ),
    "fit": (
        "suitable, suited, ideal, fit for, appropriate, made for, designed for, meant for, geeignet*, passend"
        ", adapté*, convient, apto, apta, adecuad*, adatt*, idone*, geschikt*, adequad*, nadaje",
        "unsuitable, unfit, inappropriate, ungeeignet*, inadapté*, inadecuad*, inadatt*, ongeschikt*, inadequad*",
    ),
    "has": (
        "compatible, kompatibel, compatibile, compatível",
        "incompatible, inkompatibel, incompatibile, incompatível",
    ),
}  # fmt: skip
"""By a name, the words by which a question asks for one of two properties, and by which a statement tells it."""
