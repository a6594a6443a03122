"""lxml: the class of an element, which it names with an underscore, is what annotations name."""

from lxml import etree, html

from tests.contracts.private_names import relied_on


def test_elements_and_comments_are_of_the_class_that_annotations_name():
    element = relied_on(etree, "_Element", "extraction's annotations name it")
    tree = html.fromstring("<p>text<!-- comment --></p>")
    assert isinstance(element, type) and all(isinstance(node, element) for node in tree.iter())
