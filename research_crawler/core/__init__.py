"""Models, rules and interfaces that all other packages build on. It imports none of our other packages."""
