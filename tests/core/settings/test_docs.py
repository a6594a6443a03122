"""What is written below the fields of settings."""

from typing import ClassVar

from pydantic import BaseModel

from research_crawler.core.settings.origins import field_docs


class Base(BaseModel):
    shared: int = 1
    """What all
    have."""
    bare: int = 2


class Own(Base):
    limit: int = 3
    """Most of it: 1,
    2 or 3.

    And no more."""
    kind: ClassVar[str] = ""
    """No field."""
    other: str = "text"


def test_a_field_has_the_text_below_it_on_one_line_and_those_of_its_base_class_too():
    assert field_docs(Own) == {
        "shared": "What all have.", "bare": "", "limit": "Most of it: 1, 2 or 3. And no more.", "other": ""
    }  # fmt: skip
