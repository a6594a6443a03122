from planner.brains.extractive.writing.excerpt_order import Item
from planner.brains.extractive.writing.repeated import repeats
from tests.planner.brains.views import finding

SAID = "If set, the lamp lists the status of any stopped tasks before it goes out."


def item(quote, place, vector):
    return Item(place, finding(quote, f"http://a.test/{place}"), vector, 0.5, 0.5)


def test_the_same_sentence_in_another_form_of_a_manual_is_not_shown_twice():
    longer = item(f"{SAID} If any tasks are left, it stays on until they are done.", 0, (1.0, 0.0))
    assert repeats(item(f"checktasks\n\n{SAID.replace('the lamp', 'the Lamp')}", 1, (0.6, 0.8)), [longer])
    assert not repeats(item(f"{SAID} This option is off by default on all lamps.", 1, (0.6, 0.8)), [longer])
    assert not repeats(item(f"{SAID}\n\n```\nlamp --check\n```", 1, (0.6, 0.8)), [longer])
    assert not repeats(item(f"{SAID}\n\n- once an hour\n- twice a day", 1, (0.6, 0.8)), [longer])
