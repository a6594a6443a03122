"""Read what number a question asks for: of which unit, and what is to be counted or measured."""

import re
from typing import Final

from planner.verify.figures import figures_of
from planner.verify.units import UNITS

_KINDS: Final = (
    (re.compile(r"\b(?:loud|nois[ey]\w*|laut\w*|bruyant|bruit|ruido|rumore)\b", re.I), ("db",)),
    (re.compile(r"\b(?:weigh\w*|heavy|load|schwer|gewicht|poids|peso|waga)\b", re.I), ("g",)),
    (re.compile(r"\b(?:memory|ram|disk space|speicher\w*|mémoire|memoria)\b", re.I), ("byte",)),
    (re.compile(r"\b(?:tall|high|deep|thick|wide|hoch|tief|dick|breit)\b", re.I), ("m",)),
    (re.compile(r"\b(?:temperature\w*|hot|temperatur\w*|température)\b", re.I), ("°", "°c", "°f")),
)
_ONLY: Final = (
    (re.compile(r"\bhow (?:often|long ago)\b|\bwie oft\b|\bcombien de fois\b", re.I), ()),
    (
        re.compile(r"\bhow (?:tall|high|deep|wide|thick|far)\b|\bwie (?:hoch|tief|breit|dick|weit)\b", re.I),
        ("m",),
    ),
    (re.compile(r"\bhow heavy\b|\bhow much do(?:es)? .{1,60} weigh\b|\bwie schwer\b", re.I), ("g",)),
    (re.compile(r"\bhow loud\b|\bwie laut\b", re.I), ("db",)),
    (re.compile(r"\bhow long does\b|\bwie lange\b", re.I), ("second", "month")),
)
"""Questions whose answer has one of these units; what has another one answers something else. No unit: what is asked
for is told in too many ways (times a day, every three months) to be compared."""
_ASKS: Final = re.compile(
    r"\bhow (?!do|does|did|can|could|should|would|will|is|are|was|were|come|to\b)\w+"
    r"|\bwh(?:at|ich) (?:is |are |was |were )?(?:the |a |an )?(?:\w+ ){0,3}(?P<noun>size|weight|length|height|depth"
    r"|width|speed|temperature|limit|number|rate|share|capacity|duration|age|population|area|load|pressure|distance"
    r"|price|cost|fee|fare|admission|power|consumption|amount|port|dose|dosage|percentage|frequency|voltage|diameter"
    r"|thickness|altitude|elevation|resolution|range|interval|timeout|span|budget|salary|income|attendance|toll)\b"
    r"|\bwie ?(?:viel\w*|hoch|lange?|tief|schwer|gro(?:ß|ss)|breit|laut|alt|weit|schnell|teuer|stark|dick|warm)\b"
    r"|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bquant[ieoa]s?\b|\bhoe(?:veel| lang| hoog| zwaar| diep| groot| oud| duur)\b"
    r"|\bquel(?:le)?s? (?:est|était|sont) (?:la |le |l['’])(?:longueur|hauteur|profondeur|largeur|taille|superficie"
    r"|population|capacité|vitesse|température|durée|distance|poids)\b"
    r"|\b(?:cuál|qual) (?:es|è|é|era) (?:la |el |il |l['’]|a |o )?(?:altura|longitud|profundidad|superficie|población"
    r"|capacidad|velocidad|temperatura|duración|peso|altezza|lunghezza|profondità|popolazione|capacità"
    r"|velocità|durata"
    r"|comprimento|extensão|profundidade|população|velocidade|duração)\b"
    r"|\bwelche (?:höhe|länge|tiefe|breite|größe|fläche|leistung|temperatur|reichweite|dauer)\b"
    r"|\bwat is (?:de|het) (?:hoogte|lengte|diepte|breedte|oppervlakte|gewicht|snelheid|temperatuur|duur)\b"
    r"|\bjak[ai] jest (?:wysokość|długość|głębokość|szerokość|waga|prędkość|temperatura|powierzchnia)\b"
    r"|\bile\b|\bjak (?:wysok|dług|głębok|ciężk|szybk|duż|drog)\w*",
    re.I,
)
_COUNTED: Final = re.compile(
    r"\b(?:how many|wie ?viele|combien d(?:e\s|['’])|cu[aá]nt[oa]s|quant(?:[ie]|[oa]s)\b|hoeveel"
    r"|ile)\s*(?P<what>[^\W\d_]{3,})"
    r"(?P<more>(?:\s[^\W\d_]{2,}){0,2})",
    re.I,
)


def asks_count(question: str) -> bool:
    """Whether a question asks how many there are of something that is no unit."""
    counted = _COUNTED.search(question)
    return counted is not None and counted["what"].lower() not in UNITS


def counted_word(question: str) -> str:
    """What a question wants counted, or by its name the quantity that it asks for; empty if it does not say."""
    if asks_count(question) and (counted := _COUNTED.search(question)):
        return counted["what"]
    asked = _ASKS.search(question)
    return (asked["noun"] or "").lower() if asked else ""


def gives_asked_unit(text: str, question: str) -> bool | None:
    """Whether a text has a number of a unit that the words of a question ask for: metres for "how tall"; None if the
    question asks for no unit."""
    wanted = {unit for asks, units_ in (*_KINDS, *_ONLY) if asks.search(question) for unit in units_}
    if not wanted:
        return None
    return any(one.unit in wanted for one in figures_of(text))
