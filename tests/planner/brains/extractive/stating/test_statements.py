import pytest

from planner.brains.extractive.reading.passages import finding_text
from planner.brains.extractive.stating.asked import every_stem, has_word, read_asked
from planner.brains.extractive.stating.statements import statement_for
from planner.brains.extractive.stating.things import things_of
from research_crawler.text.ranking import cosine
from tests.planner.brains.views import finding

POSTFIX = [
    finding(text, f"http://a.test/{n}", title="Postfix Queue Scheduler")
    for n, text in enumerate(
        [
            "Postfix places the message in the deferred mail queue. The queue manager moves it to the active queue.",
            "The table shows that most deferred deliveries fail after the 300s greeting timeout of Postfix.",
            "When read into memory, messages are picked from the incoming and deferred queues of Postfix.",
        ]
    )
]
KEEPS = finding(
    "Postfix keeps trying to deliver a deferred message for five days, and then returns it to its sender.",
    "http://b.test/1",
    title="Postfix Basics",
)


async def stated(embedder, question, findings, *, told="", thing=None):
    asked = await read_asked(question, told or question, findings, embedder, thing)
    wanted, *vectors = await embedder.embed([told or question, *map(finding_text, findings)])
    return await statement_for(asked, findings, [cosine(wanted, one) for one in vectors], embedder)


async def test_what_is_only_about_the_same_thing_states_nothing_that_is_asked(embedder):
    question = "How long does it keep trying?"
    told = f"{question} (Postfix deferred mail)"
    assert not (await stated(embedder, question, POSTFIX, told=told)).is_stated
    found = await stated(embedder, question, [*POSTFIX, KEEPS], told=told)
    assert found.is_stated and found.finding == KEEPS.id


@pytest.mark.parametrize(
    "said", ["Mixing packages of two releases is dangerous.", "Mixing packages of two releases is risky."]
)
async def test_a_word_near_in_meaning_is_as_good_as_the_one_that_is_asked_for(embedder, said):
    found = await stated(embedder, "Is it risky to mix packages of two releases?", [finding(said)])
    assert found.is_stated


async def test_of_things_that_are_compared_each_needs_a_sentence_that_begins_with_it(embedder):
    questions = ["VACUUM – tables", "VACUUM FULL – tables"]
    plain, full = things_of(questions)
    of_full = finding("VACUUM FULL rewrites tables into a new file.", "http://a.test/1", title="Tables")
    of_plain = finding("VACUUM marks rows of tables for use.", "http://b.test/1", title="Tables")
    assert (await stated(embedder, questions[1], [of_full], thing=full)).is_stated
    assert not (await stated(embedder, questions[0], [of_full], thing=plain)).is_stated
    assert (await stated(embedder, questions[0], [of_full, of_plain], thing=plain)).finding == of_plain.id


async def test_a_count_needs_a_number_beside_what_is_counted(embedder):
    question = "How many cabins does the Gullwire have?"
    beside = finding("The 34 cabins of the Gullwire were built in Kessel.")
    elsewhere = finding("The cabins of the Gullwire were built in a yard near Kessel in the year 2022.")
    assert (await stated(embedder, question, [beside])).is_stated
    assert not (await stated(embedder, question, [elsewhere])).is_stated


async def test_a_way_to_do_it_is_asked_for_by_how_do_i(embedder):
    question = "How do I flush the deferred queue of Postfix?"
    happens = finding("Postfix flushes the deferred queue later.", title="Queue")
    way = finding("Run postqueue -f to flush the deferred queue of Postfix.", title="Queue")
    assert (await stated(embedder, question, [happens, way])).finding == way.id


@pytest.mark.parametrize(
    "question", ["What does dead_letter_limit control?", "What governs dead_letter_limit?"]
)
async def test_the_verb_that_asks_what_a_thing_is_for_need_not_be_said(embedder, question):
    said = finding("dead_letter_limit is the number of attempts before a message is put aside.")
    assert (await stated(embedder, question, [said])).is_stated
    asked = await read_asked("How do I control access to dead_letter_limit?", "", [said], embedder)
    assert "control" in asked.words


async def test_words_of_another_language_than_english_are_compared_as_they_are_written(embedder):
    question = "Wie lösche ich einen Branch auf dem Server?"
    english = finding("Use git push with delete to remove a branch on the server.", title="git-push")
    german = finding("Einen Branch auf dem Server löscht man so: ich lösche ihn mit git push.", title="Git")
    assert not (await stated(embedder, question, [english])).is_stated
    assert (await stated(embedder, question, [english, german])).finding == german.id


async def test_a_title_that_asks_the_same_states_nothing(embedder):
    page = finding("The train leaves at nine. It has beds.", title="How loud is the night train to Kessel?")
    assert not (await stated(embedder, "How loud is the night train to Kessel?", [page])).is_stated


async def test_what_is_asked_may_stand_in_more_than_two_sentences_of_a_finding(embedder):
    spread = finding(
        "The name type is used to store identifiers. It is meant for the catalogues of Orlo alone. "
        "Users of tables seldom need it. Its length is defined as 64 bytes in the source.",
        title="Character types of Orlo",
    )
    beside = finding("A table of Orlo may have two owners, and each of them may lock it.", "http://b.test/1")
    question = "How long may the name of an Orlo table be?"
    found = await stated(embedder, question, [spread, beside])
    assert found.finding == spread.id


async def test_half_of_a_compound_is_not_the_word_that_is_asked_for(embedder):
    auto = frozenset(every_stem("Colours may be always, auto and never."))
    assert not has_word("auto-heal", auto)
    assert has_word("auto-heal", every_stem("They auto-heal at night.")) and has_word(
        "auto-heal", {"auto", "heal"}
    )


def test_short_names_with_a_word_in_common_are_things_that_are_compared():
    first, fifth, asking = things_of(["RAID 1", "RAID 5", "How many disks does each need?"])
    assert asking is None
    assert fifth and fifth.is_told_of("RAID-5 spreads its parity blocks.")
    assert first and not first.is_told_of("RAID-10 and RAID-5 are others.")
    assert things_of(["Noise", "Light of the garden"]) == [None, None]
