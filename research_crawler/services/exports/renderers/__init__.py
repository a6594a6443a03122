"""The formats of exports, one a file with `render`."""
