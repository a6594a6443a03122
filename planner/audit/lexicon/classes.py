"""Classes of which a thing has one member, and the questions for them: its colour, what it is made of."""

import re
from typing import Final

from planner.audit.lexicon.word_lists import WordList

CLASSES: Final = (
    (
        re.compile(
            r"\b(?:what|which) colou?rs?\b|\bcolou?r of\b|\bwelche farbe\b|\bquelle (?:est la )?couleur\b"
            r"|\bqué color\b"
            r"|\bche colore\b|\bwelke kleur\b|\bque cor\b|\bjaki(?:ego)? kolor",
            re.I,
        ),
        WordList.of(
            "red, green, blue, yellow, white, black, orange, purple, violet, pink, brown, grey, gray, turquoise"
            ", beige"
            ", golden, silver, crimson, scarlet, rot, rote*, grün*, blau*, gelb*, weiß*, schwarz*, braun*, grau*"
            ", lila, rosa"
            ", rouge*, vert, verte, verts, vertes, bleu*, jaune*, blanc*, noir*, rojo, roja, verde, azul"
            ", amarill*, blanco"
            ", blanca, negro, negra, rosso, rossa, blu, giall*, bianc*, nero, nera, rood, rode, groen*, blauw*"
            ", geel, gele"
            ", wit, witte, zwart*, vermelh*, amarel*, branc*, preto, preta, czerwon*, zielon*, niebiesk*, żółt*"
            ", biał*, czarn*"
        ),
    ),
    (
        re.compile(
            r"\bmade (?:of|from|out of)\b|\b(?:what|which) (?:material|metal|wood|stone|fabric|alloy)\b"
            r"|\bmaterial of\b"
            r"|\baus welchem (?:material|metall|holz|stein)\b|\bworaus (?:ist|besteht|sind|bestehen)\b"
            r"|\ben quelle matière\b|\bde qué (?:material )?(?:está|es|son)\b|\bdi che (?:cosa|materiale)\b"
            r"|\bwaarvan is\b",
            re.I,
        ),
        WordList.of(
            "wood, wooden, oak, pine, beech, ash, larch, cedar, teak, bamboo, cork, steel, iron, copper, brass"
            ", bronze"
            ", aluminium, aluminum, titanium, zinc, tin, lead, gold, silver, plastic, nylon, polyester, polypropylene"
            ", fibreglass, fiberglass, carbon, glass, ceramic, porcelain, clay, brick, bricks, concrete, stone"
            ", granite"
            ", marble, limestone, sandstone, slate, leather, wool, cotton, linen, silk, felt, rubber, latex, silicone"
            ", paper, cardboard, wax, bone, ivory, holz, hölzern*, eiche, stahl, eisen, kupfer, messing"
            ", kunststoff, glas"
            ", beton, stein, granit, marmor, leder, wolle, baumwolle, leinen, seide, gummi, papier, bois, acier"
            ", fer, cuivre"
            ", laiton, plastique, verre, béton, pierre, marbre, cuir, laine, coton, lin, soie, caoutchouc, madera"
            ", acero"
            ", hierro, cobre, plástico, vidrio, hormigón, piedra, mármol, cuero, lana, algodón, legno, acciaio"
            ", ferro, rame"
            ", plastica, vetro, pietra, pelle, cotone, hout, staal, ijzer, koper, steen, leer, katoen"
        ),
    ),
    (
        re.compile(
            r"\b(?:what|which) (?:day of the week|weekday)\b|\bon (?:what|which) days? (?:is|are|does|do)\b",
            re.I,
        ),
        WordList.of("mondays, tuesdays, wednesdays, thursdays, fridays, saturdays, sundays, monday, tuesday"
                    ", wednesday"
                    ", thursday, friday, saturday, sunday"),
    ),
    (
        re.compile(r"\b(?:what|which) (?:direction|side|bank|coast|shore)\b", re.I),
        WordList.of(
            "north, northern, south, southern, east, eastern, west, western, left, right, clockwise"
            ", anticlockwise, counterclockwise"
        ),
    ),
)  # fmt: skip
"""What asks for a member of a class, and its members."""


PERSONS: Final = WordList.of(
    "staff, workforce, personnel, crew, people, persons, person, men, women, humans, visitors, passengers, miners"
    ", soldiers, workers"
    ", employees, residents"
    ", inhabitants, guests, victims, spectators, menschen, personen, leute, besucher, fahrgäste, einwohner, arbeiter"
    ", bergleute, soldaten, opfer, personnes, habitants, visiteurs, ouvriers, personas, habitantes"
    ", visitantes, obreros"
    ", persone, abitanti, visitatori, operai, mensen, inwoners, bezoekers, pessoas, osób, osoby, ludzi, mieszkańców"
)
"""Words for people, who are counted by what they did there."""
OCCUPATIONS: Final = WordList.of(
    "nurses, doctors, teachers, pupils, students, players, members, drivers, engineers, volunteers, guards"
    ", monks, nuns, cooks"
    ", waiters, scientists, researchers, librarians, customers, users, subscribers, delegates, lehrer"
    ", ärzte, schüler, kunden"
    ", médecins, élèves, alumnos, médicos, medici, alunni"
)
"""Words for people by what they do, who are no beds, rooms or seats however near the words are."""


def class_asked(question: str) -> WordList | None:
    """The class of which a question asks for a member; None if it asks for none."""
    return next((members for asks, members in CLASSES if asks.search(question)), None)
