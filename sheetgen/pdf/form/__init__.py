"""Forms laid out once and stamped with values, a thousand pages a second."""
