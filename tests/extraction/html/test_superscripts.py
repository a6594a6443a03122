from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from tests.cases import each_case


@each_case(
    ("markup", "text"),
    [
        ("4 GB (2<sup>32</sup> bytes)", "4 GB (2^32 bytes)"),
        ("a mass of 10<sup>-9</sup> kg", "a mass of 10^-9 kg"),
        ("an M1<sup><a href=#fn-2>2</a></sup> chip", "an M1[2] chip"),
        ("pretty fast<a href='/a#fn3'><sup>3</sup></a>.", "pretty fast[3]."),
        ("better performance<sup>1</sup> than", "better performance[1] than"),
        ("see<sup>[1]</sup> there", "see[1] there"),
        ("$10<sup>99</sup>", "$1099"),
        ("<span>$</span> 10<sup>99</sup>", "$ 1099"),
        ("2<sup>49</sup> €", "249 €"),
        ("19<sup>99</sup>", "1999"),
        ("the 10<sup>th</sup> of 12 m<sup>2</sup>", "the 10th of 12 m2"),
        ("<code>2<sup>32</sup></code>", "2^32"),
        ("<sup>1</sup> The note", "1 The note"),
        ("H<sub>2</sub>O", "H2O"),
        ("x<sup></sup>y", "xy"),
    ],
)
def test_a_raised_number_is_no_part_of_the_number_or_word_before_it(markup, text):
    [block] = read_blocks(html.document_fromstring(f"<p>{markup}</p>").body)
    assert block.text == text
