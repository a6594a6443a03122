"""What is done next without a model: searches, pages, second hops, offers."""
