"""Abbreviations whose full stop ends no sentence, for all that looks for sentences."""

ABBREVIATIONS = (
    r"approx|bzw|ca|cf|co|corp|dr|ed|eds|e\.?g|esp|est|etc|fig|figs|gen|gov|hr|i\.?e|inc|jr|ltd|mme|mr|mrs|ms|nos?|nr|p|pp"
    r"|prof|rep|resp|rev|sen|sr|st|str|usw|vol|vs|z\.\s?b|d\.\s?h|u\.\s?a|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
"""Alternatives of a regular expression, in lower case and without the last stop; English and German."""
