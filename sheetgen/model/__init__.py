"""The frozen values that everything else passes around: systems, characters, what a roll came to."""
