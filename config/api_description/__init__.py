"""The OpenAPI document: how it is put together, its examples, and the page that shows it."""
