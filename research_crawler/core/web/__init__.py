"""URLs, hosts, the address guard and the user agent: rules about addresses, without I/O."""
