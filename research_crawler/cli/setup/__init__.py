"""Commands around an installation: its checks, its settings, the browser and the shell."""
