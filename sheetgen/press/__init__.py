"""Puts what is finished on paper for the printer: cards side by side, and the marks to cut along."""
