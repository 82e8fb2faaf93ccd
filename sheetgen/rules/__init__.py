"""How characters are made: steps, people, belongings, and the hook that systems register through."""
