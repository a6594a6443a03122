"""Words of several languages by which statements are compared: opposites, and things that are measured apart."""
