"""Rules to read, to ask and to play."""
