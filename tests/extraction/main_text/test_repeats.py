from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.read import without_copies

LONG = "The kettle boils a litre in two minutes and ten seconds."


def texts(*blocks: Block) -> list[str]:
    return [block.text for block in without_copies(blocks)]


def test_a_long_paragraph_is_read_once_wherever_its_copy_is():
    found = texts(Block("paragraph", LONG), Block("heading", "Reviews", 2), Block("quote", LONG.upper()))
    assert found == [LONG, "Reviews"]


def test_the_meals_of_a_plan_are_read_on_every_day():
    snack = "One cup of plain yogurt with a quarter cup of raspberries and a tablespoon of nuts"
    days = [
        [Block("heading", f"Day {day}", 2), Block("paragraph", "Breakfast"), Block("item", snack)]
        for day in (1, 2)
    ]
    blocks = [block for day in days for block in day]
    assert without_copies(blocks) == blocks


def test_a_paragraph_that_recurs_all_over_the_page_is_part_of_its_text():
    blocks = [Block("paragraph", text) for day in "123" for text in (f"Day {day}", LONG, "Lunch", LONG)]
    assert without_copies(blocks) == blocks


def test_a_name_that_is_repeated_directly_is_read_once():
    assert texts(
        Block("item", "Kettle A1"), Block("heading", "Kettle A1", 3), Block("paragraph", "$ 20")
    ) == [
        "Kettle A1",
        "$ 20",
    ]


def test_equal_short_answers_that_do_not_adjoin_are_all_read():
    answers = [Block("paragraph", text) for text in ("Does it hum?", "Yes", "Is it loud?", "Yes")]
    assert texts(*answers) == ["Does it hum?", "Yes", "Is it loud?", "Yes"]


def test_equal_rows_and_lines_of_code_are_all_read():
    row = Block("row", "", cells=("0", "0"))
    code = Block("code", f"print('{LONG}')")
    assert without_copies([row, row, code, code]) == [row, row, code, code]
