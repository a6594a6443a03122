"""The HTTP interface (`research serve`): a FastAPI application over `services/`."""
