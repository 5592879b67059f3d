"""QR codes as the path of an SVG, which pages may hold under our content security policy."""

from dataclasses import dataclass

from qrcode.main import QRCode


@dataclass(frozen=True)
class Drawing:
    """A QR code, each of its squares one unit wide, with the quiet zone round it."""

    size: int
    path: str


def draw(text: str) -> Drawing:
    """The QR code of a text."""
    code = QRCode()
    code.add_data(text)
    rows = code.get_matrix()
    squares = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return Drawing(len(rows), "".join(squares))
