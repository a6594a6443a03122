"""Compare what a report says with the quotes that it cites, by what code can tell: figures, dates, names, negations,
commands. Meaning is left to a reader (`Brain.check_entailment`)."""
