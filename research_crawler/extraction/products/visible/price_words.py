"""The words beside a price that tell what it is for: the lowest of several, a unit."""

import re

FROM_WORDS = re.compile(
    r"\b(?:from|starting (?:at|from)|starts (?:at|from)|as low as|ab|dès|à partir de|desde|a partir de|a partire da"
    r"|vanaf|od|već od|już od|от|fra|från|alkaen|din|από|від)\W*$",
    re.I,
)
"""Text directly before the lowest of several prices."""
FROM_AFTER = re.compile(
    r"\W{0,2}(?:[〜～~](?!\d)|から|より|起|부터|'?dan başlayan|-tól|-től|and up|\+ ?$)", re.I
)
UNIT_WORDS = re.compile(
    r"(?:/|\bper\b|\bpro\b|\bje\b|\bza\b|\bau\b|\bal\b|=\s?1)\s?(\d{0,4}\s?(?:kg|g|ml|cl|dl|l|litre|liter|lb"
    r"|oz|fl\.? ?oz|m²|m2|m|stk|stück|pc|pcs|piece|ks|szt|unit|each|ct|count|шт|кг|л))\b",
    re.I,
)
