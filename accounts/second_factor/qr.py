"""QR codes as SVG paths, which our content security policy allows in pages."""

from dataclasses import dataclass

from qrcode.main import QRCode


@dataclass(frozen=True)
class Drawing:
    """A QR code. Each of its squares is one unit wide, and a quiet zone surrounds it."""

    size: int
    path: str


def draw(text: str) -> Drawing:
    """Return the QR code of a text."""
    code = QRCode()
    code.add_data(text)
    rows = code.get_matrix()
    squares = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return Drawing(len(rows), "".join(squares))
