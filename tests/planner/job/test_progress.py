"""The progress that status shows, in all phases."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tests.planner.offers.test_vendor_rounds import drive_for, sells, through_vendors
from tests.planner.scripted import ended, found

ACTIONS = ("Generating search queries", "Searching: ", "Reading: ", "Synthesizing report")


@given(st.randoms(use_true_random=False))
def test_steps_and_fraction_never_fall_while_vendors_are_asked_and_count_each_of_them(random):
    drive = drive_for()

    def answer(command):
        if command.kind == "search":
            return found(command, "https://beta.example/laptop")
        if random.random() < 0.5:
            return ended(command, "failed", "timeout")
        return sells(command)

    job = through_vendors(drive, answer)
    shown = [(j.progress.fraction, j.progress.current_step, j.progress.total_steps) for j in drive.history]
    for before, after in itertools.pairwise(shown):
        assert all(x <= y for x, y in zip(before, after, strict=True))
    assert all(step < total for _, step, total in shown)
    assert job.phase2 is not None
    asked = sum(vendor.stage in ("answered", "failed") for vendor in job.phase2.vendors)
    assert job.progress.total_steps > asked
    assert all(j.progress.current_action.startswith(ACTIONS) for j in drive.history)
