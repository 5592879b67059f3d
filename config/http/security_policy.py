"""Security headers: what a page may load, where it may be shown, and what it may not use.

A view that needs another policy sets its own header, which is left as it is.
"""

from typing import Final

from csp.constants import NONE, SELF

POLICY: Final = {
    "default-src": [NONE],
    "object-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF],
    "font-src": [SELF],
    "connect-src": [SELF],
    "worker-src": [SELF],
    "manifest-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}
"""Scripts, styles and pictures are files of this server. Nothing stands inline, and nothing comes from elsewhere."""

HEADERS: Final = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(self), usb=()",
}
"""What Django and django-csp have no setting for."""
