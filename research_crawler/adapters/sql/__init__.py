"""The SQL archive: finished jobs, pages, evidence, products, prices and watches."""
