"""What a goal asks for: intent, region, requirements, and whether two goals mean the same thing."""
