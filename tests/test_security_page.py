"""docs/security.md: every requirement of OWASP ASVS 5.0, levels 1 and 2, and the test that shows how it is met."""

import re
from collections.abc import Iterator
from typing import Final

from tests.faults.plant import ROW, all_faults, rows_without_fault, security_tests
from tests.server.darbar import ROOT

PAGE: Final = (ROOT / "docs" / "security.md").read_text()
REQUIREMENTS: Final = """
    1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1-1 3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
    4.1:1-3 4.2:1-1 4.3:1-2 4.4:1-4 5.1:1-1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3
    6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2 8.2:1-3 8.3:1-1 8.4:1-1 9.1:1-3 9.2:1-4 10.1:1-2
    10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1-1 11.6:1-1
    12.1:1-3 12.2:1-2 12.3:1-4 13.1:1-1 13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3
    15.3:1-7 16.1:1-1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1-1 17.2:1-4 17.3:1-2
"""
"""The sections of the standard with their first and last requirement of levels 1 and 2."""
NOT_APPLICABLE: Final = re.findall(r"^\| (\d[\d., -]+) \| [^|]+ \|$", PAGE, re.M)
"""The requirements that do not apply, such as “4.3.1-2, 4.4.1-4”, one text for each reason."""
EXCUSES: Final = ("Operator:", "Departure:")
"""The beginnings of rows whose requirement no test of ours can show."""


def requirements(text: str) -> Iterator[str]:
    """Yield the number of each requirement of a text such as “1.1:1-2 1.2:1-9” or “4.3.1-2, 5.3.1”, in order."""
    for section, first, last in re.findall(r"(\d+\.\d+)[:.](\d+)(?:-(\d+))?", text):
        yield from (f"{section}.{number}" for number in range(int(first), int(last or first) + 1))


def test_every_requirement_has_one_row_or_a_reason_why_it_does_not_apply() -> None:
    rows = [number for number, *_ in ROW.findall(PAGE)]
    excluded = list(requirements(" ".join(NOT_APPLICABLE)))
    assert len(excluded) > 40
    assert [number for number in requirements(REQUIREMENTS) if number not in excluded] == rows
    assert sorted(rows + excluded) == sorted(requirements(REQUIREMENTS))


def test_every_requirement_names_its_test_or_says_why_there_is_none() -> None:
    for number, _, here, tests in ROW.findall(PAGE):
        assert tests or any(excuse in here for excuse in EXCUSES), number


def test_every_test_it_names_exists() -> None:
    names = sorted({name for *_, tests in ROW.findall(PAGE) for name in re.findall("`(.*?)`", tests)})
    assert len(names) > 90
    fairness = (ROOT / "docs" / "fairness.md").read_text()
    for name in (*names, *re.findall(r"`([a-z_/]+\.py::.*?)`", fairness)):
        path, _, function = name.partition("::")
        file = ROOT / "tests" / path
        assert file.is_file(), name
        assert not function or re.search(rf"def {function}\b", file.read_text()), name


def test_every_planted_fault_still_fits_its_file() -> None:
    for fault in all_faults():
        assert fault.occurrences() == 1, f"{fault.title}: its old text must occur once in {fault.file}"
        assert fault.new != fault.old, fault.title
        if fault.file.endswith(".py"):
            compile((ROOT / fault.file).read_text().replace(fault.old, fault.new), fault.file, "exec")


def test_every_defence_with_a_test_has_a_planted_fault_or_a_reason_why_there_is_none() -> None:
    """tests/faults/security.toml: `make faults` shows that the test of a row fails without the defence."""
    faults, reasons = {fault.row for fault in all_faults() if fault.row}, rows_without_fault()
    tested = {row for row, tests in security_tests().items() if tests}
    assert faults & reasons.keys() == set(), "a row has a fault or a reason"
    assert faults | reasons.keys() == tested
    assert all(reason.endswith(".") for reason in reasons.values())
