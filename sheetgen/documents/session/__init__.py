"""Run sheets and screens as templates have them."""
