"""Code that the views of accounts share: serializers, problems, and examples for the API's description."""
