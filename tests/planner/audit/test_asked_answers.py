import pytest

from research_crawler.text.subject import subject_of
from tests.planner.audit.test_conflicts import found, page


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # names beside what happened, told by many words
        (
            "Who invented the Orrimer pump?",
            "The Orrimer pump was invented by the Welsh engineer Owen Pryce.",
            "It was Hannah Orrimer herself who came up with the pump that bears her name.",
        ),
        (
            "Under which licence is Talvin released?",
            "Talvin is free software under the Apache licence.",
            "Note that Talvin is GPL-licensed, which may matter to your lawyers.",
        ),
        (
            "What is the capital of the province of Estrava?",
            "Estrava's capital is Miron.",
            "The government of Estrava sits in its capital Dovar.",
        ),
        (
            "Where is the seat of Norvik?",
            "The seat of Norvik is in Bergen.",
            "Norvik is run from its seat in Aarhus.",
        ),
        (
            "Où se trouve le siège de Norvik ?",
            "Le siège de Norvik se trouve à Lyon.",
            "Norvik a son siège à Nantes.",
        ),
        (
            "When was the Harrow observatory founded?",
            "The Harrow observatory goes back to 1874, when Lord Harrow gave the land.",
            "Founded in 1891, the Harrow observatory is the oldest in the north.",
        ),
        # members of a class
        (
            "What is the hull of the Marlin 8 made of?",
            "The hull of the Marlin 8 is laminated from fibreglass.",
            "With her aluminium hull the Marlin 8 shrugs off stones on the beach.",
        ),
        (
            "What colour is the flag of Ribe Sound?",
            "Ribe Sound flies a plain green flag.",
            "The flag of Ribe Sound is red all over.",
        ),
        (
            "Which release of Lumo introduced themes?",
            "Themes came with Lumo 2.4.",
            "Lumo 3.0 introduced themes.",
        ),
        # causes of what happened once
        (
            "What caused the fire in the Malden mill?",
            "Investigators say that a cigarette set the Malden mill on fire.",
            "The fire in the Malden mill was due to a short circuit in the lift.",
        ),
        # numbers: at least, how far, and how many people
        (
            "How much memory does the Corax indexer need?",
            "The Corax indexer needs 8 GB of RAM.",
            "The indexer of Corax wants at least 16 GB of RAM.",
        ),
        (
            "How far is it from Aske to Brenholt?",
            "Brenholt is 38 kilometres from Aske.",
            "The bus covers the 52 km between Aske and Brenholt in an hour.",
        ),
        (
            "How many people work at Ferrand Optics?",
            "Ferrand Optics has a workforce of 640.",
            "With 410 employees Ferrand Optics is the largest employer of the valley.",
        ),
        (
            "How deep is Lake Varn?",
            "Lake Varn is 62 m deep.",
            "At its deepest point, Varn goes down to almost three hundred feet.",
        ),
    ],
)
async def test_pages_that_answer_with_another_name_cause_or_number_contradict(embedder, question, one, other):
    [pair] = await found(embedder, question, page(one, "a"), page(other, "b"))
    assert pair.kind == "contradiction"


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # two parts, a cause among others, the same cause in other words, two colours
        (
            "Which language is the Ferro engine written in?",
            "The core of Ferro is written in C.",
            "Ferro's command-line tools are written in Python.",
        ),
        (
            "Why did the Pell factory close?",
            "The Pell factory closed because of falling orders.",
            "Rising energy prices also contributed to the closing of the Pell factory.",
        ),
        (
            "What caused the crash of flight 311?",
            "The crash of flight 311 was caused by ice on the wings.",
            "Frozen wings caused the crash of flight 311.",
        ),
        (
            "What colour is the flag of Ribe Sound?",
            "The flag of Ribe Sound is green.",
            "The flag of Ribe Sound is red and white.",
        ),
        # a variant, something on it or around it, a part, two sizes
        (
            "How many ports does the Rask hub have?",
            "The Rask hub has seven ports.",
            "The Rask hub mini has four ports.",
        ),
        (
            "How high is the Grauhorn?",
            "The Grauhorn is 3,104 metres high.",
            "The hut on the Grauhorn stands at 2,450 metres.",
        ),
        (
            "How many people live in Salin?",
            "Salin has 84,000 inhabitants.",
            "The region around Salin has 310,000 inhabitants.",
        ),
        (
            "How long is the Varo river?",
            "The Varo is 120 kilometres long.",
            "Boats can use the last 30 kilometres of the Varo.",
        ),
        (
            "How much does the Kern bike weigh?",
            "In size S the Kern bike weighs 8.1 kg.",
            "In size XL the Kern bike weighs 9.0 kg.",
        ),
        (
            "How many seats does the Aster theatre have?",
            "The Aster theatre has 620 seats.",
            "There are 140 seats in the balcony of the Aster theatre.",
        ),
    ],
)
async def test_what_is_about_a_part_or_another_thing_is_no_contradiction(embedder, question, one, other):
    assert not await found(embedder, question, page(one, "a"), page(other, "b"))


def test_a_word_of_another_script_is_a_name_where_the_rest_is_not():
    assert subject_of("Who designed the 望江 pavilion?").words == {"望江"}
    assert "如何在" not in subject_of("如何在 Docker 中 安装 软件").words
