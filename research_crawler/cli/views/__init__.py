"""How jobs, reports and watches are shown, on a terminal and to a script."""
