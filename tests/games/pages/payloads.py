"""A hundred ways to write a script into a page, each of which says so when it runs or loads something."""

from itertools import product
from typing import Final

from tests.examples import read_examples

EXAMPLES = read_examples(__file__)

_SAYS: Final = ("alert(7)", "fetch('//127.0.0.1:9/')", "window.ran=7")
PAYLOADS: Final = (*(whole.format(text) for text, whole in product(_SAYS, EXAMPLES["whole"])), *EXAMPLES["loading"])
