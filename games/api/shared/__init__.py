"""Code that the views of games share: serializers, problems, pagination, waiting."""
