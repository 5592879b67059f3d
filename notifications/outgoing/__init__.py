"""The client for HTTP requests to addresses that users choose. It connects to public addresses only."""
