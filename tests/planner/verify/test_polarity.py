"""Whether quotes deny a sentence: what sums up several of them is not denied by one of them."""

import pytest

from planner.verify.cited_text import CitedText, sentences_of
from planner.verify.coverage import WordWeights, word_set
from planner.verify.ladder import judge_statement
from planner.verify.polarity import dropped_limits, widens
from planner.verify.statement import Statement

PAIRS = [
    (
        "Sequence data is not replicated, so the sequence on the subscriber still shows its start value.",
        "Sequence data is not replicated. The data in columns backed by sequences will be replicated as part of the "
        "table, but the sequence itself would still show the start value on the subscriber.",
    ),
    (
        "PostgreSQL does not provide the software that identifies a failed primary and notifies the standby.",
        "PostgreSQL does not provide the system software required to identify a failure on the primary and notify "
        "the standby database server.",
    ),
    (
        "Large objects are not replicated, and there is no workaround other than storing data in normal tables.",
        "Large objects (see Chapter 35) are not replicated. There is no workaround for that, other than storing data "
        "in normal tables.",
    ),
    (
        "Shared disk failover uses a single disk array and so allows rapid failover with no data loss.",
        "It uses a single disk array that is shared by multiple servers. This allows rapid failover with no data loss.",
    ),
    (
        "Commits can be edited before they are published, and a topic that was published only by mail can be rebased "
        "without a problem.",
        "You can always go back later and edit the commits before you publish them. Presumably you have not published "
        "your topic other than by mail, so rebasing it is not a problem.",
    ),
    (
        "If the connection ends at a load balancer, the variable will always report off.",
        "If the connection ends at a load balancer, the module is not handling it and the variable will always report "
        "off.",
    ),
    (
        "The easiest way is the backup tool, which works on a running cluster without affecting other clients.",
        "The easiest way is to use the backup tool. The tool is used to take a backup of a running cluster. The backup "
        "is taken without affecting other clients.",
    ),
    (
        "A soft reset leaves your files as they were, because neither the index nor the working tree is touched.",
        "Does not touch the index file or the working tree at all. This leaves all your changed files as they were.",
    ),
    (
        "A soft reset keeps the index, unlike a mixed reset.",
        "A soft reset keeps the index. A mixed reset sets the index to the tree of the commit.",
    ),
    (
        "`tool --hard` without a commit is a synonym for `tool --hard HEAD`, which clears the index and the files.",
        "tool --hard which is a synonym for tool --hard HEAD clears the mess from the index and the files.",
    ),
    (
        "`tool --hard` without a commit clears the index and the files.",
        "Without a commit, tool --hard clears the index and the files.",
    ),
    (
        "`tool --hard` clears the index and the files.",
        "tool --hard without any commit clears the index and the files.",
    ),
]


AFFIRMED = (
    "Even though TLS encryption is always used, mail delivery continues even if the server certificate is untrusted or "
    "bears the wrong name."
)


def judged(text: str, quote: str) -> str:
    sentences = list(sentences_of(quote))
    weights = WordWeights(map(word_set, sentences))
    return judge_statement(Statement(text, CitedText(sentences), weights, frozenset())).verdict


@pytest.mark.parametrize(("text", "quote"), PAIRS)
def test_a_sentence_that_sums_up_its_quotes_is_not_called_their_opposite(text: str, quote: str) -> None:
    assert judged(text, quote) != "contradicted"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Sequence data is replicated.", "Sequence data is not replicated."),
        ("Large objects are replicated too.", "Large objects (see Chapter 35) are not replicated."),
        ("The manual says that DDL commands are replicated.", "DDL commands are not replicated."),
        ("The standby serves writes while it recovers.", "The standby serves no writes while it recovers."),
        ("The standby serves writes while it recovers.", "Neither server serves writes while it recovers."),
    ],
)
def test_the_opposite_of_a_quote_is_contradicted(text: str, quote: str) -> None:
    assert judged(text, quote) == "contradicted"


def test_words_for_all_of_a_kind_stand_for_each_other() -> None:
    assert widens("It forces everyone to fix it.", "Anyone downstream is forced to fix it.") == []
    assert widens("It always works.", "Anyone can run it.") == ["always"]


def test_a_permission_is_no_limit_and_a_possibility_is_one() -> None:
    assert dropped_limits("Rebase keeps the history simple.", "You may choose rebase for it.") == []
    assert dropped_limits("Rebase loses commits.", "Rebase may lose commits.") == ["may"]


def test_a_limit_of_another_part_of_the_source_is_none_of_the_statement() -> None:
    source = "The sequences would need to be updated, either by copying the data (perhaps using pg_dump) or by hand."
    assert dropped_limits("The sequences would need to be updated.", source) == []
    assert dropped_limits("It needs a switchover.", "If some kind of switchover is needed, it waits.") == []
    assert dropped_limits("Rebase skips the changes.", "Rebase skips the changes unless told otherwise.") == [
        "unless"
    ]
    assert dropped_limits("Updates usually help.", "Updates often help.") == []


def test_what_a_quote_does_not_speak_of_is_not_denied_by_its_other_words() -> None:
    told = "mail delivery continues even if the certificate is untrusted or bears the wrong name."
    assert (
        judged(f"TLS encryption does not protect against a wrong server: {told}", AFFIRMED) != "contradicted"
    )
    assert (
        judged("Mail delivery does not continue if the certificate is untrusted.", AFFIRMED) == "contradicted"
    )


def test_only_what_a_verb_of_possibility_stands_before_is_limited_by_it() -> None:
    source = "It restores the whole cluster and the base backup might be bulky."
    assert dropped_limits("It restores the whole cluster from the base backup.", source) == []
    assert dropped_limits("The base backup is bulky.", source) == ["might"]


def test_a_superlative_is_no_limit() -> None:
    assert (
        dropped_limits("The matching address is used.", "The most specific matching address is used.") == []
    )
    assert dropped_limits("Servers use it.", "Most servers use it.") == ["most"]


def test_other_words_for_one_and_for_none_widen_nothing() -> None:
    assert widens("If only one host matches, it is used.", "If exactly one host matches, it is used.") == []
    assert widens("It matches none of the names.", "It does not match one of the names.") == []
    assert widens("The first two are usable.", "Two of them are usable.") == []
    assert widens("Only hosts with a name match.", "Hosts with a name match.") == ["only"]
    assert widens("The first host is used.", "The host is used.") == ["first"]


def test_a_sentence_that_turns_round_what_stands_before_it_denies_nothing_by_itself() -> None:
    quote = "Otherwise, the first host whose address matched is used for connections."
    leaning = "Without the extension the first host whose address matched is used for connections."
    assert judged(leaning, quote) != "contradicted"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The radio works without a battery.", "The radio works with a battery."),
        ("The radio works with a battery.", "The radio works without a battery."),
        (
            "The radio works without a battery in winter.",
            "The radio does not work without a battery in winter.",
        ),
        ("The radio never works without a battery.", "The radio works without a battery."),
    ],
)
def test_without_denies_what_the_other_text_has(text, quote):
    assert judged(text, quote) == "contradicted"
