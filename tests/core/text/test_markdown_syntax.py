from markdown_it import MarkdownIt

from research_crawler.core.text.markdown_syntax import is_in_listing, open_fence, row_cells
from research_crawler.text.languages.sentences import quotable_pieces
from tests.cases import each_case

LISTING_WITH_TILDES = "Before it.\n\n```\nls\n~~~\ncd\n```\n\nBehind it stands a sentence."


@each_case(
    "lines",
    [
        ["```", "~~~", "```"],
        ["````", "```", "````"],
        ["~~~ python", "```", "~~~~"],
        ["```", "``` not closed"],
        ["`````` one line ``````", "text"],
    ],
)
def test_a_listing_ends_where_markdown_ends_it(lines):
    fence, is_open = "", []
    for line in lines:
        fence = open_fence(line, fence)
        is_open.append(bool(fence))
    assert bool(fence) == is_in_listing("\n".join([*lines, ""]), len("\n".join([*lines, ""])))
    [first, *_] = MarkdownIt().parse("\n".join([*lines, "behind"]))
    is_behind_code = first.type == "fence" and first.map[1] == len(lines) + 1
    assert is_open[-1] == is_behind_code


def test_a_line_of_tildes_in_a_listing_hides_nothing_behind_it():
    assert "Behind it stands a sentence." in [piece.text for piece in quotable_pieces(LISTING_WITH_TILDES)]


def test_an_escaped_bar_is_a_sign_of_its_cell():
    assert [cell.strip() for cell in row_cells(r"| a \| b | c |")] == [r"a \| b", "c"]
    assert [piece.text for piece in quotable_pieces("| mode | values |\n|---|---|\n| rw | a \\| b |\n")][
        -1
    ] == "rw | a | b"
