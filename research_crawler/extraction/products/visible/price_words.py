"""The words beside a price that tell what it is for: a former price, shipping, several pieces, "from"."""

import re

OLD_WORDS = re.compile(
    r"\b(?:was|rrp|msrp|list|retail(?: price)?|typical|reg(?:ular)?|before|uvp|statt|bisher|au lieu de"
    r"|prix conseillé|antes|pvp|de:|precio anterior|prezzo (?:di listino|consigliato)|invece|adviesprijs|van|původně"
    r"|bežná cena|běžná cena|stara cena|ord\.|tidigare|før|eski fiyat"
    r"|старая цена|rrp)\b|定価|原价|市價|原價|建議售價|정가",
    re.I,
)
EXTRA_WORDS = re.compile(
    r"\b(?:save|saving|you save|sparen|ersparnis|économi\w+|ahorr\w+|risparmi\w+|bespaar|shipping|delivery"
    r"|postage|versand\w*|livraison|frais de port|envío|envio|frete|spedizione|verzend\w+|wysyłk\w+|doprava"
    r"|doručení|dostava|доставк\w+|frakt|fragt|toimitus|kargo"
    r"|per month|a month|/mo\b|/month|monatlich|monat|mois|al mes|mensile|mies\.?|měsíčně|месяц|мес\.?|ay\b"
    r"|deposit|orders? (?:over|above)|over|under|below|up to|unter|moins de"
    r"|from|ab|à partir|desde|vanaf|od|excl\.?|ex\.? (?:vat|tax)|ohne mwst"
    r"|netto|bez dph|bez pdv|htva?|points?|cashback|bonus|coupon|voucher|off|rabatt?|discount|скидк\w+|выгода"
    r"|кредит|рассрочк\w+)\b|運費|送料|ポイント|分期|每期|월",
    re.I,
)
SEVERAL_BEFORE = re.compile(
    r"\b(?:as low as|for (?:both|all (?:two|three|four|\d))"
    r"|(?:[2-9]|\d\d|two|three|four|any \d) (?:for|pour|für|per|por)|(?:bundle|multipack|set|pack|case) price"
    r"|both|together)\W*$",
    re.I,
)
"""Text directly before a price that applies only to large quantities, or to several products together."""
SEVERAL_AROUND = re.compile(
    r"\b(?:pack|set|box|case|lot|paquete|paket|bundle) (?:of|de|von|mit|à) (?:[2-9]|\d\d)\b"
    r"|\b(?:[2-9]|\d\d)[- ]?(?:er[- ])?(?:pack|pcs|pieces|stück|pièces|unidades|pezzi|szt|шт)\b"
    r"|\b(?:bundle|multipack)\b",
    re.I,
)
"""Text in the element of such a price. (Before the element, the same words may be the product's name.)"""
SEVERAL_AFTER = re.compile(
    r"\W{0,3}(?:for|pour|für|por|/) ?(?:[2-9]|\d\d|two|three|four|both|a (?:set|pack|case|box))\b"
    r"(?! ?(?:%|kg|m?l|g)\b)",
    re.I,
)
"""Text directly after such a price."""
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
