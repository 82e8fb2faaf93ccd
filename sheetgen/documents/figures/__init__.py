"""Figures and small drawings as SVG."""
