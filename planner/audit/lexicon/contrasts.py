"""Say whether two texts measure things that a word tells apart: the dead and the injured, read and written."""

from typing import Final

from planner.audit.lexicon.word_lists import WordList

_CONTRASTS: Final = tuple(
    tuple(map(WordList.of, sides))
    for sides in (
        (
            "died, dead, deaths, death, killed, kills, fatal*, lost their lives, tot, tote*, getötet*"
            ", starb*, gestorben"
            ", mort, morts, tué*, décéd*, muert*, murier*, fallec*, uccis*, morirono, dood, doden, gedood, stierven"
            ", omgekomen, morreram, mortos, zginęło, zginęli, zabit*",
            "injur*, hurt, wounded, verletzt*, verwundet*, blessé*, herid*, ferit*, gewond*, ferid*, ranny*, rannych",
            "missing, vermisst*, disparu*, desaparecid*, dispers*, vermist*, zaginion*",
            "infected, infizier*, infecté*, infectad*, besmet, zakażon*",
        ),
        (
            "minimum, minimal*, lowest, minima*, mínim*, mindestens, minimo, najniższ*, laagste",
            "maximum, maximal*, highest, máxim*, massim*, höchst*, hoogste, najwyższ*",
        ),
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
        ("daytime, tagsüber", "night, nights, nachts, nuit, noche, notte, noite, nocy"),
        ("outbound, outward, hinfahrt", "inbound, rückfahrt"),
        ("indoor*", "outdoor*"),
        ("arrival*, arrive*, ankunft*, llegada*", "departure*, depart*, abfahrt*, abflug*, salida*, partenz*"),
        ("urban, innerorts", "motorway*, highway*, außerorts, autoroute*"),
        ("seats, seated, sitzplätze, asientos", "standing, stehplätze"),
        ("hot, heiß*", "cold, kalt*"),
        ("wet, nass*", "dry, trocken*"),
        ("soft limit", "hard limit"),
    )
)  # fmt: skip
"""Sides of which a statement is about one. Words that only praise ("largest", "first") tell nothing apart."""

_AGAIN: Final = WordList.of(
    "again, reopened, re-opened, reopening, reopens, relaunched, re-elected, a second time, once more"
    ", wieder*, erneut"
    ", abermals, de nouveau, à nouveau, rouvert*, otra vez, de nuevo, reabiert*, reabrió, di nuovo, riapert*, opnieuw"
    ", heropend*, de novo, reabert*, ponownie, znowu"
)
"""What happened again did so on another day than the first time."""


def measures_apart(one: str, other: str) -> bool:
    """Whether each text is about one of several things that are told apart, and they are about different ones."""
    for sides in _CONTRASTS:
        mine, theirs = ({n for n, side in enumerate(sides) if side.is_in(text)} for text in (one, other))
        if mine and theirs and mine.isdisjoint(theirs):
            return True
    return False


def is_repeated(one: str, other: str) -> bool:
    """Whether one text tells that something happened again, and the other one does not."""
    return _AGAIN.is_in(one) != _AGAIN.is_in(other)
