// Generated from the documents in docs by clients/js/generate.py: do not edit.
