"""Follow jobs, for every interface: where they stand, what they wait for, found and cost; cancel and resume them."""
