"""Helpers of all pages: decorators for views, titles, sentences and figures."""
