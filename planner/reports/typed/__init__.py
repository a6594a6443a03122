"""What a report has by its type of research, and on request: timelines, concepts, trends, sentiment, fact checks."""
