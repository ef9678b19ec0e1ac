"""Facts datasets: certified instances of a proved family by closures alone, without texts."""
