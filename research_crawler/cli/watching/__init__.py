"""Commands for watches and the prices that they saw."""
