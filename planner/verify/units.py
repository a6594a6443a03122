"""Words and signs of numbers and units, to read and compare figures in the languages of reports."""

from typing import Final

POWERS: Final[dict[str, float]] = {
    word: power
    for power, words in (
        (1e3, "k thousand thousands tausend mille mil mila duizend tysiąc tysiące tysięcy"),
        (
            1e6,
            "m mn mio million millions millionen millones millón milione milioni miljoen milhão milhões milion mln",
        ),
        (
            1e9,
            "bn billion billions milliarde milliarden milliard milliards miliardo miliardi miljard miliard mld mrd",
        ),
        (1e12, "trillion trillions billionen"),
    )
    for word in words.split()
}
"""Words that multiply a number. `k` and `m` do so only right behind it; see `figures`."""

UNITS: Final[dict[str, tuple[str, float]]] = {
    name: (base, factor)
    for base, factor, names in (
        ("%", 1, "% percent pct prozent pourcent"),
        ("m", 1e-3, "mm millimetre millimetres millimeter millimeters"),
        ("m", 1e-2, "cm centimetre centimetres centimeter centimeters"),
        ("m", 1, "metre metres meter meters metern mètre mètres metro metros metri metrów"),
        (
            "m",
            1e3,
            "km kilometre kilometres kilometer kilometers kilomètres kilómetros chilometri quilômetros quilómetros",
        ),
        ("m", 0.0254, "inch inches zoll"),
        ("m", 0.3048, "ft foot feet"),
        ("m", 1609.344, "mile miles meile meilen"),
        ("g", 1e-3, "mg"),
        ("g", 1, "g gram grams gramm grammes"),
        (
            "g",
            1e3,
            "kg kilogram kilograms kilo kilos kilogramm kilogrammes kilogramos chilo chili chilogrammo chilogrammi"
            " quilo quilos",
        ),
        ("g", 1e6, "tonne tonnes tonnen"),
        ("g", 453.59237, "lb lbs"),
        ("l", 1e-3, "ml millilitre millilitres"),
        ("l", 1, "l litre litres liter liters"),
        ("byte", 1, "byte bytes"),
        ("byte", 1e3, "kb"),
        ("byte", 1e6, "mb megabyte megabytes"),
        ("byte", 1e9, "gb gigabyte gigabytes"),
        ("byte", 1e12, "tb terabyte terabytes"),
        ("byte", 2**10, "kib"),
        ("byte", 2**20, "mib"),
        ("byte", 2**30, "gib"),
        ("second", 1e-3, "ms millisecond milliseconds millisekunden"),
        ("second", 1, "second seconds sec sekunde sekunden seconde secondes segundos secondi"),
        ("second", 60, "min mins minute minutes minuten minuto minutos minuti minuut minuta minuty minut"),
        (
            "second",
            3600,
            "h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur uren godzina godziny godzin",
        ),
        ("second", 86400, "day days tag tage tagen jour jours día días giorni dagen dias dni"),
        ("second", 604800, "week weeks woche wochen semaine semaines semana semanas settimane weken"),
        ("month", 1, "month months monat monate monaten mois mes meses mesi maanden"),
        (
            "month",
            12,
            "year years jahr jahre jahren an ans année années año años anno anni jaar ano anos lat yr yrs",
        ),
        ("hertz", 1, "hz"),
        ("hertz", 1e6, "mhz"),
        ("hertz", 1e9, "ghz"),
        ("watt", 1, "w watt watts"),
        ("watt", 1e3, "kw kilowatt kilowatts"),
        ("wh", 1, "wh"),
        ("wh", 1e3, "kwh"),
        ("volt", 1, "v volt volts"),
        ("db", 1, "db dba decibel decibels dezibel décibels decibelios decibel"),
        ("mah", 1, "mah"),
        ("°", 1, "° degree degrees grad degré degrés grado grados gradi graden graus stopni"),
        ("°c", 1, "°c celsius"),
        ("°f", 1, "°f fahrenheit"),
        ("usd", 1, "$ us$ usd dollar dollars dólares"),
        ("eur", 1, "€ eur euro euros"),
        ("gbp", 1, "£ gbp"),
        ("jpy", 1, "¥ jpy yen"),
    )
    for name in names.split()
}
"""Units with what they measure, and how much of its base unit they are. `pounds` and `m` mean two things each, and
are left out."""

SPELLED: Final[dict[str, int]] = {
    word: value
    for value, words in (
        (0, "zero"),
        (2, "two zwei deux twee"),
        (3, "three drei trois tres drie"),
        (4, "four vier quatre cuatro quattro"),
        (5, "five fünf cinq cinco cinque vijf"),
        (6, "six sechs seis"),
        (7, "seven sieben siete sette zeven"),
        (8, "eight acht huit ocho"),
        (9, "nine neun nueve"),
        (10, "ten zehn diez dieci"),
        (11, "eleven onze"),
        (12, "twelve zwölf douze"),
        (13, "thirteen dreizehn"),
        (14, "fourteen vierzehn"),
        (15, "fifteen fünfzehn"),
        (16, "sixteen sechzehn"),
        (17, "seventeen siebzehn"),
        (18, "eighteen achtzehn"),
        (19, "nineteen neunzehn"),
        (20, "twenty zwanzig vingt veinte venti twintig"),
        (30, "thirty dreißig trente"),
        (40, "forty vierzig quarante"),
        (50, "fifty fünfzig cinquante"),
        (60, "sixty sechzig"),
        (70, "seventy siebzig"),
        (80, "eighty achtzig"),
        (90, "ninety neunzig"),
        (100, "hundred hundert"),
    )
    for word in words.split()
}
"""Numbers as words, without those that are other words in another of these languages ("once", "due", "dos"), and
without "one", which is mostly no number."""
