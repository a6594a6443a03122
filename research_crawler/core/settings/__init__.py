"""How settings are found, trusted and read; `core/config.py` declares them."""
