"""Laws: what holds for every solution, whatever is solved and asked."""
