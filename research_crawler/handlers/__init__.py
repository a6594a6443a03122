"""Download handlers: plain downloads from checked addresses, and rendering in the browser."""
