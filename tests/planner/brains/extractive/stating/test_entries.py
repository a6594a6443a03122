"""Excerpts of a manual's entries are told apart by the settings that they are about."""

from planner.brains.extractive.stating.asked import read_asked
from planner.brains.extractive.stating.entries import begins_with_setting, entry_of
from research_crawler.text.query_words import settings_in
from tests.planner.brains.extractive.stating.test_statements import stated
from tests.planner.brains.views import finding

SPOOL = finding(
    "max_spool (integer)\n\nHow many letters wait before the office is told. The default is 40 letters at once.",
    "http://a.test/1",
    title="Settings of Kestrel",
)
OTHER = finding(
    "The default value is 7. This parameter can only be set at start. Kestrel reads it once.",
    "http://a.test/1",
    title="Settings of Kestrel",
    heading="Letters > min_spool (integer)",
)


def test_an_entry_is_known_by_the_label_that_begins_it_or_stands_above_it():
    assert entry_of(SPOOL) == {"max_spool"}
    assert entry_of(OTHER) == {"min_spool"}
    assert entry_of(finding("max_spool is read once.\n\nThen it is forgotten.")) == {"max_spool"}
    assert not entry_of(finding("Kestrel reads max_spool once.", heading="Letters that wait"))


def test_settings_are_names_that_stand_for_the_same_thing_everywhere():
    assert settings_in("What is the default of max_spool and of `min_spool` in Kestrel?") == [
        "max_spool",
        "min_spool",
    ]
    assert settings_in("What does git commit --amend do in Git 2.4?") == []


async def test_the_default_of_a_setting_is_stated_by_its_own_entry_and_by_no_other(embedder):
    question = "What is the default value of max_spool in Kestrel 5?"
    found = await stated(embedder, question, [OTHER, SPOOL])
    assert found.is_stated
    assert found.text == "The default is 40 letters at once."
    assert not (await stated(embedder, question, [OTHER])).is_stated


async def test_the_product_of_a_setting_and_what_kind_of_thing_it_is_go_without_saying(embedder):
    asked = await read_asked("What is the default value of max_spool in Kestrel 5?", "", [SPOOL], embedder)
    assert list(asked.words) == ["default"]
    assert asked.names == ("max_spool",)


async def test_a_passage_that_only_mentions_a_setting_does_not_state_what_it_does(embedder):
    question = "What does max_spool do in Kestrel?"
    mentions = finding("Kestrel before 2.10 did not have max_spool. It knew min_spool.", title="Kestrel")
    assert not (await stated(embedder, question, [mentions])).is_stated
    assert (await stated(embedder, question, [mentions, SPOOL])).finding == SPOOL.id


def test_a_text_begins_with_a_setting_behind_an_article_too():
    assert begins_with_setting("The max_spool parameter tells how many wait.", ["max_spool"])
    assert begins_with_setting("The purpose of max_spool is to wait.", ["max_spool"])
    assert not begins_with_setting("Versions before 2.10 had no max_spool.", ["max_spool"])
