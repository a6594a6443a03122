"""What makes two quotes the same."""


def normal_quote(quote: str) -> str:
    """What makes two quotes the same: words without case, white space and marks between them."""
    return " ".join("".join(c if c.isalnum() else " " for c in quote.casefold()).split())
