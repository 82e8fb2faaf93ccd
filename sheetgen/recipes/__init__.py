"""What users ask for, composed from the stages: the only rooms that know them all."""
