"""Everything that views of all apps share: the reader, the API view, the serializers."""
