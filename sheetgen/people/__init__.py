"""Rolling people, reading their files, arranging groups, and binding characters to procedures."""
