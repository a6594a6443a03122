import pytest

from research_crawler.extraction.metadata.membership import is_since_label, names_since, says_since


@pytest.mark.parametrize(
    "text",
    ["Joined: Mar 3, 2010", "Joined Mar 2010", "Member since 2019", "Registered on 4 May 2012", "Join Date: 2001-02-03",
     "Mitglied seit: 12.03.2011", "Inscrit le 5 mai 2015", "Last seen 3 May 2024"],
)  # fmt: skip
def test_the_date_since_which_someone_belongs_to_a_forum_is_recognized(text):
    assert says_since(text)
    assert not is_since_label(text)


@pytest.mark.parametrize("text", ["Joined", "Join Date:", " Member since "])
def test_a_label_alone_is_recognized(text):
    assert is_since_label(text)


@pytest.mark.parametrize(
    "text", ["Posted Mar 3, 2010", "3 May 2024", "Joined-up writing is what I teach, since 2010, " * 3]
)
def test_other_dates_and_long_texts_are_not(text):
    assert not says_since(text)
    assert not names_since("post-date conjoined date")
