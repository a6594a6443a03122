"""Replay a finished job from its record, without the network."""
