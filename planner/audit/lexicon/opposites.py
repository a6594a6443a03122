"""Opposite properties by their words, in several languages: open and closed, free and paid."""

import re
from dataclasses import dataclass
from typing import Final

from planner.audit.lexicon.word_lists import WordList
from planner.text.words import WORD, stem


@dataclass(frozen=True)
class Opposites:
    """Two properties of which a thing has one."""

    one: WordList
    other: WordList

    def side_of(self, text: str) -> bool | None:
        """Whether a text has the first of them (True) or the second; None if it has neither, or both."""
        has_one, has_other = self.one.is_in(text), self.other.is_in(text)
        return has_one if has_one != has_other else None

    def longest_in(self, text: str) -> int:
        """How long the longest of their words or phrases is that a text has: "open source" says more than "open"."""
        return max(map(len, (*self.one.found(text), *self.other.found(text))), default=0)


OPPOSITES: Final = tuple(
    Opposites(WordList.of(one), WordList.of(other))
    for one, other in (
        (
            "open, opens, reopened, wiedereröffnet, rouvert*, reabiert*, riapert*, heropend, geöffnet"
            ", offen, ouvert, ouverte, ouverts, ouvertes, abierto, abierta, abiertos, abiertas"
            ", aperto, aperta, aperti, aperte, geopend, aberto, aberta, otwart*",
            "closed, shut, geschlossen, fermé, fermée, fermés, fermées, cerrado, cerrada, cerrados, cerradas, chiuso"
            ", chiusa, chiusi, chiuse, gesloten, dicht, fechado, fechada, zamknię*",
        ),
        (
            "free, free of charge, at no cost, gratis, kostenlos, kostenfrei, umsonst, gratuit*, darmow*"
            ", bezpłatn*, kosteloos",
            "paid, chargeable, costs, charges, charged, fee, subscription only, kostenpflichtig*, kostet"
            ", payant*, coûte"
            ", de pago, cuesta, a pagamento, costa, betaald, kost, pago, paga, custa, płatn*, kosztuje",
        ),
        (
            "supported, maintained, unterstützt, gepflegt, maintenu*, pris en charge, mantenid*, mantenut*"
            ", ondersteund"
            ", mantid*, wspieran*",
            "deprecated, obsolete, unsupported, unmaintained, discontinued, abandoned, retired, end of life, removed"
            ", dropped, drops, veraltet, eingestellt, entfernt, obsolète*, abandonné*, supprimé*, obsolet*"
            ", descontinuad*"
            ", eliminad*, abandonad*, abbandonat*, rimoss*, verouderd, verwijderd, przestarzał*, usunięt*",
        ),
        (
            "sold, available, on sale, in production, verkauft, erhältlich, lieferbar, vendu*, disponible*, vendid*"
            ", vendut*, disponibil*, verkrijgbaar, verkocht, leverbaar, disponíve*, dostępn*, sprzedawan*, offered",
            "discontinued, withdrawn, unavailable, sold out, out of production, ausverkauft, eingestellt, retiré*"
            ", indisponible*, épuisé*, agotad*, descatalogad*, retirad*, esaurit*, ritirat*, uitverkocht, esgotad*"
            ", wycofan*, niedostępn*",
        ),
        (
            "allowed, permitted, legal, lawful, welcome, erlaubt, gestattet, zulässig, legal, permis"
            ", permise, permises"
            ", autorisé*, admis, permitid*, autorizad*, consentit*, permess*, ammess*, toegestaan"
            ", dozwolon*, legaln*",
            "forbidden, prohibited, banned, illegal, unlawful, outlawed, verboten, untersagt, unzulässig, interdit*"
            ", illégal*, prohibid*, ilegal*, vietat*, proibit*, illegal*, verboden, proibid*, zabronion*, zakazan*",
        ),
        (
            "compulsory, mandatory, obligatory, required, requires, require, need, needs, needed, must, necessary"
            ", have to, has to, vorgeschrieben, pflicht, verpflichtend, obligatorisch, nötig, notwendig, erforderlich"
            ", braucht, benötigt, muss, müssen, obligatoire*, nécessaire*, doit, obligatori*, necesari*, hace falta"
            ", necessari*, obbligatori*, serve, verplicht, nodig, moet, obrigatóri*, necessári*"
            ", obowiązkow*, konieczn*",
            "voluntary, optional, unnecessary, without any, without a, without an, without needing, needless"
            ", freiwillig, optional, unnötig, ohne, facultatif*, facultative*, volontaire, sans, voluntari*"
            ", opcional*"
            ", sin, facoltativ*, volontari*, senza, vrijwillig, optioneel, onnodig, zonder, facultativ*"
            ", sem, dobrowoln*"
            ", opcjonaln*, bez",
        ),
        (
            "on prescription, prescription only, prescription-only, rezeptpflichtig*, verschreibungspflichtig*"
            ", sur ordonnance, con receta, con ricetta, op recept, com receita, na receptę, rezept, prescription",
            "over the counter, without prescription, without a prescription, rezeptfrei*, sans ordonnance, sin receta"
            ", senza ricetta, zonder recept, sem receita, bez recepty",
        ),
        (
            "safe, safely, harmless, sicher, unbedenklich, ungefährlich, sûr, sûre, sans danger, inoffensi*, segur*"
            ", sicur*, innocu*, veilig, onschadelijk, bezpieczn*",
            "dangerous, unsafe, harmful, hazardous, insecure, avoid, avoided, contraindicated, gefährlich, schädlich"
            ", unsicher, dangereu*, nocif*, nociv*, peligros*, dañin*, inseguro, pericolos*, dannos*, gevaarlijk"
            ", schadelijk, onveilig, perigos*, niebezpieczn*, szkodliw*",
        ),
        (
            "poisonous, venomous, toxic, giftig*, venimeu*, vénéneu*, toxique*, venenos*, tóxic*, velenos*"
            ", tossic*, trując*"
            ", jadowit*",
            "harmless, edible, nontoxic, non-toxic, non-poisonous, ungiftig*, harmlos, essbar, inoffensi*"
            ", comestible*"
            ", inofensiv*, innocu*, commestibil*, ongiftig, eetbaar, jadaln*, nieszkodliw*",
        ),
        (
            "over, ended, finished, ends, called off, beendet, vorbei, terminé*, fini, terminad*, finalizad*, finit*"
            ", terminat*, voorbij, afgelopen, beëindigd, acabou, zakończon*",
            "continues, continuing, ongoing, goes on, still on, under way, dauert an, hält an, continue, se poursuit"
            ", continúa, sigue, continua, prosegue, duurt voort, gaat door, trwa",
        ),
        (
            "resigned, stepped down, left office, quit, zurückgetreten, démissionné, dimitido, dimitió, dimess*"
            ", afgetreden, demitiu-se, renunció, renunciou, ustąpił*",
            "remains in office, stays in office, stays on, stay on, refuses to resign, bleibt im amt"
            ", reste en fonction"
            ", sigue en el cargo, resta in carica, blijft aan, continua no cargo, pozostaje na stanowisku",
        ),
        (
            "alive, lebt, vivant*, vivo, viva, levend",
            "dead, died, tot, gestorben, mort, morte, muert*, murió, morto, morta, overleden",
        ),
        (
            "open source, open-source, quelloffen, código abierto, opensource, source libre, logiciel libre",
            "proprietary, closed source, closed-source, proprietär, propriétaire, propietari*, proprietari*",
        ),
        (
            "offline, without internet, without a connection, hors ligne, sin conexión, senza connessione",
            "online only, requires a connection, requires an internet connection, needs a connection, only online"
            ", needs an internet connection, requires internet, nur online, permanent connection, always online",
        ),
        (
            "enabled, on by default, switched on, turned on, active, activated, aktiviert, eingeschaltet"
            ", aktiv, activé*"
            ", activad*, activo, attiv*, ingeschakeld, ativad*, włączon*",
            "disabled, off by default, switched off, turned off, inactive, deactivated, deaktiviert, ausgeschaltet"
            ", désactivé*, desactivad*, disattivat*, uitgeschakeld, desativad*, wyłączon*",
        ),
        ("guilty, convicted, schuldig, verurteilt", "innocent, acquitted, not guilty, unschuldig, freigesprochen"),
        ("approved, accepted, adopted, passed, angenommen, genehmigt, approuvé*, adopté*, aprobad*"
         ", approvat*, aangenomen",
         "rejected, refused, turned down, voted down, abgelehnt, verworfen, rejeté*, refusé*, rechazad*"
         ", respint*, verworpen"),
        ("rose, risen, increased, grew, grown, gestiegen, augmenté*, aumentó, aumentad*, aumentat*, gestegen"
         ", wzrosł*",
         "fell, fallen, decreased, dropped, declined, shrank, gesunken, baissé*, diminué*, bajó, diminuit*"
         ", gedaald, spadł*"),
        ("public, öffentlich, publique, público, pubblic*, openbaar",
         "private, privat, privé*, privad*, privat*, particulier"),
        ("wireless, drahtlos, kabellos, sans fil, inalámbric*, senza fili, draadloos",
         "wired, verkabelt, filaire, con cable"),
        ("empty, vacant, deserted, leer, verlassen, vide, vacío, vuoto, leeg",
         "full, occupied, voll, besetzt, plein, lleno, pieno, vol"),
        ("true, wahr, vrai, verdad*, vero, waar, prawda",
         "false, wrong, myth, untrue, falsch, faux, fals*, onwaar, fałsz"),
        ("visible, sichtbar, visibile", "hidden, invisible, unsichtbar, caché*, ocult*, nascost*, verborgen"),
        ("manual, manually, by hand, manuell", "automatic, automatically, automatisch"),
        ("secret, geheim, secrète, secreto, segreto",
         "published, revealed, public, veröffentlicht, publié, publicado"),
    )
)  # fmt: skip

_UN: Final = re.compile(r"(?:un|in|im|ir|il|non-?|de|dis|dés|des|on|nie|not-)(?=\w{4})", re.I)
"""Beginnings that turn a word round: "unencrypted", "uninhabited"."""
_FREE_OF: Final = re.compile(
    r"(?<![\w-])(?P<what>[^\W\d_]{3,20}?)-?(?:free|less|frei|los|loos|vrij)(?:e[nmrs]?)?(?!\w)", re.I
)
"""Endings that say that something is not there: "gluten-free", "lactosefrei"."""


def opposites_asked(question: str) -> tuple[Opposites, bool] | None:
    """The opposite properties of which a question asks for one"
    ", and whether that is the first; None if it has none."""
    found = [(pair, side) for pair in OPPOSITES if (side := pair.side_of(question)) is not None]
    return max(found, key=lambda one: one[0].longest_in(question), default=None)


def turned_round(text: str, asked: frozenset[str]) -> set[str]:
    """The stems of a question that a text has in a form which denies them.

    Args:
        text: what answers the question.
        asked: stems of the question.
    """
    found = {stem(match["what"].lower()) for match in _FREE_OF.finditer(text)}
    for word in WORD.findall(text.lower()):
        if beginning := _UN.match(word):
            found.add(stem(word[beginning.end() :]))
    return found & asked
