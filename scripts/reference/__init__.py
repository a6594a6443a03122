"""Makes the reference pages of the documentation from the code; `pages.PAGES` has a function for each page."""
