"""The settings by what they are about; `core/config.py` joins the groups."""
