import pytest

from planner.audit.conflicts import conflicts
from planner.audit.evidence_statements import evidence_statements
from tests.planner.brains.views import finding

TRAM = "How many people were hurt in the Marrowby tram accident, and why did it happen?"
LOAD = "How much weight may the Kestrel Duo trailer carry?"


async def found(embedder, question, *findings):
    said = await evidence_statements(question, findings, embedder)
    return await conflicts([question], findings, said, embedder)


def page(quote, n, **more):
    return finding(quote, f"http://{n}.test/", **more)


async def test_pages_that_count_the_same_in_other_words_contradict_each_other(embedder):
    [pair] = await found(
        embedder,
        TRAM,
        page(
            "How many were hurt? The tram company speaks of 14 people in three carriages.",
            "a",
            title="Tram accident",
        ),
        page(
            "On Sunday a Marrowby tram left the rails. According to the hospital 19 passengers were hurt.",
            "b",
            title="The tram accident in Marrowby",
        ),
    )
    assert pair.kind == "contradiction"
    assert {"14" in pair.one.text, "14" in pair.other.text} == {True, False}


async def test_a_much_newer_page_replaces_the_number_of_an_old_one_in_other_words(embedder):
    [pair] = await found(
        embedder,
        LOAD,
        page(
            "The manual of the Kestrel Duo allows 40 kg for children and bags together.",
            "a",
            published="2026-05-01",
        ),
        page("Shops say that the Kestrel Duo carries 45 kg.", "b", published="2021-03-01"),
    )
    assert (pair.kind, "40 kg" in pair.one.text) == ("replaced", True)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # bounds and averages, something else of the same unit, a sibling, another time, a difference
        (LOAD, "The Kestrel Duo carries 40 kg.", "The Kestrel Duo usually carries 30 kg of shopping."),
        (LOAD, "The Kestrel Duo carries 40 kg.", "The Kestrel Duo carries up to 45 kg."),
        (LOAD, "The Kestrel Duo carries 40 kg.", "The Kestrel Mini carries 25 kg."),
        (LOAD, "The Kestrel Duo carries 40 kg.", "The Kestrel Duo is 3 kg lighter than the Larch."),
        (LOAD, "In 2019 the Kestrel Duo carried 40 kg.", "Since 2024 the Kestrel Duo has carried 45 kg."),
        (LOAD, "The Kestrel Duo carries 40 kg.", "The Kestrel Duo carries 40 kilograms."),
        (
            "How much memory does the Quillstore server need per 1,000 sessions?",
            "Quillstore needs 40 MB of memory for every 1,000 sessions.",
            "With 20,000 sessions Quillstore took 800 MB of memory.",
        ),
        # a mode, a group of people, a place of the same unit, a time that means something else
        (
            "How fast does the Orlo 3 accelerate?",
            "The Orlo 3 accelerates to 100 km/h in 6.6 seconds.",
            "In boost mode the Orlo 3 accelerates to 100 km/h in 5.7 seconds.",
        ),
        (
            "By how much did cycling rise in Marrowby?",
            "In Marrowby cycling rose by 23 percent.",
            "Among children, cycling in Marrowby rose by 12 percent.",
        ),
        (
            "How tall is the Skelder lighthouse?",
            "The tower of the Skelder lighthouse is 43 metres high.",
            "The Skelder lighthouse stands 21 metres above the sea.",
        ),
        (
            "How long does the battery of the Orlo 3 last?",
            "The maker promises 11 hours of battery life for the Orlo 3.",
            "The battery of the Orlo 3 charges fully in 2 hours.",
        ),
        # shops have prices of their own
        (
            "How much does the Kestrel Duo trailer cost?",
            "At Larkin the Kestrel Duo trailer costs 890 euros.",
            "The cooperative sells the Kestrel Duo trailer for 940 euros.",
        ),
        # each holds in its own case
        (
            "How do I see which commit a tag points to?",
            "If the tag is not annotated, the message of the commit is shown.",
            "If the tag is annotated, the message of the commit is shown.",
        ),
        # a way of doing something has many numbers
        (
            "How do I load the Kestrel Duo trailer?",
            "Put the first 10 kg into the Kestrel Duo right above its axle.",
            "A bag of 12 kg on its drawbar makes the Kestrel Duo sway.",
        ),
    ],
)
async def test_what_qualifies_or_is_about_something_else_is_no_contradiction(embedder, question, one, other):
    assert not await found(embedder, question, page(one, "a"), page(other, "b"))


async def test_a_no_of_another_page_contradicts_a_yes_or_is_replaced_by_it(embedder):
    question = "Does Pinfold run on Windows?"
    no = '"No. Pinfold does not support Windows," says Yrsa Lind, who wrote most of it.'
    yes = "Pinfold runs on Windows 10 and later since release 2.6."
    [pair] = await found(
        embedder, question, page(no, "a", published="2022-09-14"), page(yes, "b", published="2026-04-21")
    )
    assert (pair.kind, pair.one.text) == ("replaced", yes)
    limited = "Pinfold does not run on Windows unless the manifest allows long paths."
    assert not await found(embedder, question, page(limited, "a"), page(yes, "b"))


async def test_a_disagreement_that_a_page_tells_is_shown_with_what_it_is_about(embedder):
    [pair] = await found(
        embedder,
        "What killed the fish in Lake Senna?",
        page(
            "The county names the heat wave as the only cause of the dead fish in Lake Senna. The smell was bad. "
            "A report of the anglers comes to another conclusion: whey used up the oxygen.",
            "a",
        ),
    )
    assert pair.kind == "told"
    assert "heat wave" in pair.one.text
    assert "whey" in pair.other.text


async def test_a_short_disagreement_brings_the_sentence_before_it(embedder):
    question = "In which year was the tidal clock of Ferrant Quay made?"
    text = (
        "The archive says that the tidal clock of Ferrant Quay was made in 1788. A date of 1791 stands on its back. "
        "The restorer disagrees."
    )
    [pair] = await found(embedder, question, page(text, "a"))
    assert pair.one.text.endswith("1788.")
    assert pair.other.text == "A date of 1791 stands on its back. The restorer disagrees."


async def test_a_disagreement_is_found_behind_the_many_findings_of_another_page(embedder):
    question = "In which year was the tidal clock of Ferrant Quay made?"
    many = [
        page(f"Step {n} of 16: the lamp lighter of Ferrant Quay walks past the tidal clock.", "a")
        for n in range(16)
    ]
    text = "The archive of Ferrant Quay says that the tidal clock was made in 1788. Its restorer disagrees."
    [pair] = await found(embedder, question, *many, page(text, "b"))
    assert (pair.kind, pair.other.finding.url) == ("told", "http://b.test/")


@pytest.mark.parametrize(
    "text",
    [
        "Ferrant Quay has a tidal clock, made in 1788. However, it stands still in winter.",
        "The bakery of Marrowby opened in 1788. The owner disagrees with the tax office.",
        "Access to the tidal clock of Ferrant Quay is denied without a ticket.",
    ],
)
async def test_a_limit_and_a_quarrel_about_something_else_are_no_disagreement(embedder, text):
    assert not await found(
        embedder, "In which year was the tidal clock of Ferrant Quay made?", page(text, "a")
    )


async def test_what_somebody_met_with_does_not_replace_what_the_maker_states(embedder):
    [pair] = await found(
        embedder,
        "How loud is the Kestrel Duo shredder?",
        page("The maker states 72 dB for the Kestrel Duo.", "a", published="2024-01-10"),
        page("With the Kestrel Duo we measured 81 dB at four metres.", "b", published="2026-04-02"),
    )
    assert pair.kind == "contradiction"


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "How many people were deported from Marrowby?",
            "Nearly 150 people were deported from Marrowby.",
            "Marrowby deported 311 people.",
        ),
        (
            "How loud is the keyboard of the Orlo 3?",
            "The keyboard of the Orlo 3 reaches 41 dBA.",
            "The keyboard of the Orlo 3 was measured at 52 dB.",
        ),
        (
            "At what age did Ida Brannock retire?",
            "Ida Brannock retired from engineering at age 43.",
            "Ida Brannock left engineering at the age of 39.",
        ),
        (
            "Which flow temperature should the Orlo heat pump have?",
            "The manual sets the flow temperature of the Orlo heat pump to 35 °C.",
            "Our Orlo heat pump has a flow temperature of 31 degrees.",
        ),
    ],
)
async def test_estimates_far_apart_ages_and_units_in_other_words_contradict_each_other(
    embedder, question, one, other
):
    [pair] = await found(embedder, question, page(one, "a"), page(other, "b"))
    assert pair.kind == "contradiction"


async def test_an_estimate_near_another_number_is_no_contradiction(embedder):
    question = "How many people were deported from Marrowby?"
    pages = page("Nearly 150 people were deported.", "a"), page("Marrowby deported 145 people.", "b")
    assert not await found(embedder, question, *pages)


async def test_pages_of_one_series_do_not_contradict_each_other(embedder):
    def bulletin(n, people):
        return finding(
            f"{people} people were hurt in the Marrowby tram.",
            f"http://a.test/bulletins/{n}",
            title=f"Tram: bulletin of {n} May 2026",
        )

    assert not await found(embedder, TRAM, bulletin(3, 14), bulletin(9, 19))


async def test_what_a_page_measured_is_told_beside_what_the_maker_claims(embedder):
    [pair] = await found(
        embedder,
        "How loud is the Kestrel Duo shredder?",
        page("The maker of the Kestrel Duo promises 72 dB. We measured 81 dB at four metres.", "a"),
    )
    assert pair.kind == "told"
    assert ("72 dB" in pair.one.text, "81 dB" in pair.other.text) == (True, True)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How high is the Tarn dam?", "The Tarn dam rises 94 m above the river bed.", "The Tarn dam is 101 m high."),
        ("How long is the Marl tunnel?", "The Marl tunnel is 1,240 m long.",
         "With a length of 1,410 metres, the Marl tunnel is the longest of the line."),
        ("Which port does the Ferrol server use?", "The Ferrol server uses port 9090.",
         "Open port 8085, which the Ferrol server uses."),
        ("How heavy is the Orlo 12 drill?", "The Orlo 12 drill weighs 1.8 kg.",
         "Our scales show 2.4 kg for the Orlo 12."),
        ("How long does Tally keep its logs?", "Tally keeps its logs for 90 days.",
         "Tally deletes its logs after 60 days."),
        ("¿Cuántos metros mide el puente de Altaria?", "El puente de Altaria mide 640 metros.",
         "Con 710 metros, el puente de Altaria es el más largo de la provincia."),
        ("Is the Bexley museum open on Mondays?", "The Bexley museum is open every day, Mondays included.",
         "On Mondays the Bexley museum is closed."),
        ("Is there wifi on the Aldmouth ferry?", "There is free wifi on the Aldmouth ferry.",
         "There is no wifi on the Aldmouth ferry."),
    ],
)  # fmt: skip
async def test_answers_that_cannot_both_be_true_contradict_each_other(embedder, question, one, other):
    pairs = await found(embedder, question, page(one, "a"), page(other, "b"))
    assert [pair.kind for pair in pairs] == ["contradiction"]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # a conversion, a part, a place of delivery, a choice beside the default, a year, what two owners have
        ("How heavy is the Marl anchor?", "The Marl anchor weighs 10 kg.", "The Marl anchor weighs 22 lb."),
        (
            "How long is the Ridge trail?",
            "The Ridge trail is 82 km long.",
            "The first stage of the Ridge trail is 17 km long.",
        ),
        (
            "How long does delivery from Parcelline take?",
            "Parcelline delivers within 2 days.",
            "To the islands Parcelline delivers within 5 days.",
        ),
        (
            "How many workers does Shale start?",
            "Shale starts 4 workers by default.",
            "We run Shale with 32 workers.",
        ),
        (
            "How many people live in Grauberg?",
            "In 1950 Grauberg had 3,200 people.",
            "Grauberg has 5,100 people.",
        ),
        (
            "What does fault F14 of the Thermara 6 mean?",
            "We have had a Thermara 6 since 21 June 2024.",
            "We have had a Thermara 6 since 5 August 2024.",
        ),
        (
            "When was the Corbel canal built?",
            "The Corbel canal was begun in 1810.",
            "The Corbel canal was finished in 1822.",
        ),
    ],
)
async def test_what_holds_in_its_own_case_contradicts_nothing(embedder, question, one, other):
    assert await found(embedder, question, page(one, "a"), page(other, "b")) == []


async def test_what_many_like_pages_of_a_host_tell_of_themselves_is_no_contradiction(embedder):
    threads = [
        finding(
            "Messages stay in one queue while the others are empty, and nothing was changed except the load balancer. "
            f"The queues hold {n} messages. Restarting a consumer helps for {n} minutes.",
            f"http://pit.test/q/{word}", title=f"Quern: {word}",
        )
        for n, word in ((7, "slow"), (19, "late"), (26, "loud"))
    ]  # fmt: skip
    assert await found(embedder, "How long does restarting a Quern consumer help?", *threads) == []


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # limits, ranges, numbers in words
        (
            "What is the highest dose of Relvanol?",
            "Adults must not take more than 400 mg of Relvanol a day.",
            "The highest dose of Relvanol for adults is 600 mg a day.",
        ),
        (
            "How many soldiers fell in the battle of Ostry?",
            "Some twelve thousand soldiers fell in the battle of Ostry.",
            "No more than 4,500 soldiers fell in the battle of Ostry, a study finds.",
        ),
        (
            "Wie viele Zimmer hat das Hotel Lindhof?",
            "Das Hotel Lindhof hat achtundvierzig Zimmer.",
            "Das Hotel Lindhof verfügt über 62 Zimmer.",
        ),
        # opposites, words that are turned round, other endings of a word
        (
            "Is Vellum still maintained?",
            "Vellum is actively maintained today.",
            "Vellum was abandoned by its authors.",
        ),
        (
            "Is the Astra plugin free?",
            "The Astra plugin is free for everybody.",
            "The Astra plugin costs 29 dollars.",
        ),
        (
            "Does the Skylark bulb contain mercury?",
            "The Skylark bulb is mercury-free.",
            "The Skylark bulb contains a little mercury.",
        ),
        (
            "Does Vaultry encrypt its backups?",
            "Vaultry encrypts all of its backups.",
            "The auditors found that Vaultry stores its backups unencrypted.",
        ),
        ("Does Mapleaf work offline?", "Mapleaf works offline.", "Mapleaf does not work offline at all."),
        (
            "Czy zamek w Rudnicy jest otwarty?",
            "Zamek w Rudnicy jest otwarty.",
            "Zamek w Rudnicy jest zamknięty.",
        ),
        # names behind other words for what happened
        (
            "Where are Pallo shoes made?",
            "Pallo shoes are made in Italy.",
            "All Pallo shoes are manufactured in India.",
        ),
        (
            "Which language is Fernlight written in?",
            "The tool Fernlight is written in Python.",
            "Fernlight is a small tool written in Haskell.",
        ),
    ],
)
async def test_limits_opposites_and_numbers_in_words_contradict_each_other(embedder, question, one, other):
    [pair] = await found(embedder, question, page(one, "a"), page(other, "b"))
    assert pair.kind == "contradiction"


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "How tall do Merrow lilies grow?",
            "Merrow lilies grow 60 to 90 cm tall.",
            "My Merrow lilies are 75 cm tall.",
        ),
        (
            "How many people were hurt in the Sable Pass accident?",
            "Three people died in the Sable Pass accident.",
            "Seventeen people were injured in the Sable Pass accident.",
        ),
        (
            "How heavy is the Ridley stove?",
            "The Ridley stove weighs 840 g without fuel.",
            "Filled with fuel the Ridley stove weighs 1.1 kg.",
        ),
        (
            "Does Cobalt Forms support uploads?",
            "From version 5 on, Cobalt Forms supports uploads.",
            "Cobalt Forms 4 has no support for uploads.",
        ),
        (
            "Does Tidewriter run on tablets?",
            "Tidewriter runs on tablets.",
            "Tidewriter does not run on e-readers.",
        ),
        (
            "Does the Arbor lock resist frost?",
            "The Arbor lock resists frost.",
            "The Arbor lock does not resist salt.",
        ),
        ("Is Norvex safe?", "Norvex is safe for adults to take.", "Norvex is not safe for children to take."),
        (
            "Is the Sutter bridge closed?",
            "The Sutter bridge is closed to lorries.",
            "The Sutter bridge is open to walkers.",
        ),
        (
            "Is hunting allowed in the Marsh reserve?",
            "Hunting is allowed in the Marsh reserve.",
            "A bill would forbid hunting in the Marsh reserve.",
        ),
        (
            "How many people does the Cobden hall hold?",
            "The Cobden hall holds 900 people.",
            "Last night 640 people were in the Cobden hall.",
        ),
        (
            "When was the Grand Arcade opened?",
            "The Grand Arcade was opened in 1889.",
            "The Grand Arcade was opened again in 2017.",
        ),
        (
            "Who wrote The Salt Road?",
            "The Salt Road was written by Дарья Зимина.",
            "Daria Zimina wrote The Salt Road.",
        ),
        (
            "Who won the Fenland Cup?",
            "Rosa Pell won the Fenland Cup in 2019.",
            "Tim Adder won the Fenland Cup in 2021.",
        ),
        (
            "Hoeveel leden heeft de club Wilgenhof?",
            "De club Wilgenhof heeft 320 leden.",
            "Dit jaar kreeg de club Wilgenhof 45 nieuwe leden.",
        ),
    ],
)
async def test_what_holds_for_a_case_a_version_or_a_moment_of_its_own_denies_nothing(
    embedder, question, one, other
):
    assert not await found(embedder, question, page(one, "a"), page(other, "b"))


async def test_a_number_that_somebody_will_tell_you_denies_another_one_of_what_something_may_carry(embedder):
    question = "How much weight may the Ostrel rack carry?"
    one = page("Sellers will tell you that the Ostrel rack carries 25 kg, and the label says so too.", "a")
    other = page("The manual of the Ostrel rack says 20 kg, bags and locks together.", "b")
    assert await found(embedder, question, one, other)
