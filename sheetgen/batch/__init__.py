"""Many jobs at once, and work that must not take the program down with it."""
