"""From bytes to text: no I/O here."""
