"""The parts of a report about offers: the comparison, the price assessment, the products that pages name."""
