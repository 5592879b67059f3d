from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from bench.chaos.run import FaultOutcome, Result
from bench.chaos.verdict import Finding

KINDS = ("lost", "doubled", "stuck")


def table(result: Result) -> str:
    """Return the result of a run as text."""
    return "\n".join(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    for finding in result.findings:
        yield f"{finding.kind}: {finding.description}"
    for note, times in Counter(result.notes).most_common(20):
        yield f"noticed {times} times: {note}"
    blame = Counter((_cause(finding, result.faults), finding.kind) for finding in result.findings)
    yield ""
    yield f"| {'fault':<20} | times | recovered in, median / max | lost | doubled | stuck |"
    yield f"|{'-' * 22}|------:|---------------------------:|-----:|--------:|------:|"
    for name, times in Counter(fault.name for fault in result.faults).most_common():
        times_to_recover = _times_to_recover([fault for fault in result.faults if fault.name == name])
        counts = " | ".join(f"{blame[name, kind]:>{len(kind)}}" for kind in KINDS)
        yield f"| {name:<20} | {times:>5} | {times_to_recover:>26} | {counts} |"
    totals = " | ".join(f"{sum(finding.kind == kind for finding in result.findings):>{len(kind)}}" for kind in KINDS)
    yield f"| {'all':<20} | {len(result.faults):>5} | {_times_to_recover(result.faults):>26} | {totals} |"
    yield ""
    ledger = result.ledger
    yield (
        f"{sum(fault.is_kill for fault in result.faults)} kills. In {result.games} games {len(ledger.moves)} moves and "
        f"{len(ledger.mails)} emails were acknowledged, {ledger.refused} answers refused, {ledger.rolled_back} taken "
        f"back by a restore; {len(ledger.relayed)} emails, {len(ledger.posted)} messages to webhooks and "
        f"{len(ledger.signals)} events of streams came."
    )


def _times_to_recover(faults: Sequence[FaultOutcome]) -> str:
    times = [fault.recovered for fault in faults if fault.recovered is not None]
    return f"{median(times):.1f} s / {max(times):.1f} s" if times else "-"


def _cause(finding: Finding, faults: Sequence[FaultOutcome]) -> str:
    """Return the first fault after the acknowledgement, or the last of all faults."""
    return next((fault.name for fault in faults if fault.at >= finding.at - 1), faults[-1].name if faults else "none")
