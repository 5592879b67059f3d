"""Code that the views of all apps share: API views, serializers, middleware, requests."""
